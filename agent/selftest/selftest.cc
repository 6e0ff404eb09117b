#include "foretell/agent/selftest/selftest.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/selftest/judge.h"
#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/integration/random/shrink.h"
#include "foretell/search/naive_search.h"

namespace foretell::agent {
namespace {

using integration::RandomServiceSpec;

constexpr size_t kShallow = 4;     // Steps; see SelftestReport::deep.
constexpr uint64_t kTwiceIn = 16;  // One service in so many is run twice.

std::string StepText(const model::Service& service, const model::PathStep& step) {
  std::string text =
      absl::StrCat("node ", step.node.value(), ": ", model::KindName(step.event.kind));
  if (step.event.kind == model::EventKind::kDeliver) {
    absl::StrAppend(&text, " ", service.RenderMessage(step.event.body), " from node ",
                    step.event.peer.value());
  }
  if (step.event.kind == model::EventKind::kAction) {
    absl::StrAppend(&text, " ", service.RenderAction(step.event.body));
  }
  if (model::IsOfStream(step.event.kind)) {
    absl::StrAppend(&text, " with node ", step.event.peer.value());
  }
  for (const uint32_t choice : step.choices) absl::StrAppend(&text, ", chooses ", choice);
  return text;
}

class Selftest {
 public:
  Selftest(const SelftestOptions& options, const std::vector<SelftestEngine>& engines)
      : options_(options), engines_(engines) {
    for (const SelftestEngine& engine : engines_) report_.engines.push_back({engine.name});
  }

  SelftestReport Run(const SelftestProgress& progress) {
    for (uint64_t seed = options_.seed; report_.checked < options_.count; ++seed) {
      CheckService(integration::RandomSpec(seed));
      if (progress) progress(report_);
    }
    return std::move(report_);
  }

 private:
  void CheckService(const RandomServiceSpec& spec) {
    const model::System system = integration::MakeRandomSystem(spec);
    const search::NaiveResult truth =
        search::NaiveSearch(*system.service, system.start, options_.states_max);
    if (!truth.finished) {
      ++report_.skipped;
      return;
    }
    ++report_.checked;
    report_.states += truth.states;
    report_.invariants += 1 + spec.invariants.size();
    report_.violated += truth.violated.size();
    for (const auto& [name, path] : truth.violated) report_.deep += path.size() > kShallow ? 1 : 0;
    for (size_t e = 0; e < engines_.size(); ++e) {
      const Verdict verdict = JudgeSpec(engines_[e], spec, system, truth);
      Count(verdict, report_.engines[e]);
      if (!verdict.complaint || report_.engines[e].disagreements > options_.details_max) continue;
      report_.disagreements.push_back(Detail(engines_[e], *verdict.complaint, spec));
    }
  }

  static void Count(const Verdict& verdict, EngineTally& tally) {
    ++(verdict.complete ? tally.complete : tally.incomplete);
    tally.violations += verdict.found.size();
    tally.disagreements += verdict.complaint ? 1 : 0;
  }

  Verdict JudgeSpec(const SelftestEngine& engine, const RandomServiceSpec& spec,
                    const model::System& system, const search::NaiveResult& truth) const {
    // In proportion to the service: engines whose bookkeeping has no end on it (optimism about what
    // circulates, say) must fall back or give up before they take minutes.
    const uint64_t steps_max = 3 * truth.transitions + options_.steps_extra;
    return Judge(engine, system, truth, steps_max, spec.seed % kTwiceIn == 0);
  }

  // The smallest service with the same complaint, and what is wrong there.
  Disagreement Detail(const SelftestEngine& engine, Complaint complaint,
                      const RandomServiceSpec& original) const {
    const auto same_complaint = [&](const RandomServiceSpec& spec) {
      const model::System system = integration::MakeRandomSystem(spec);
      const auto truth = search::NaiveSearch(*system.service, system.start, options_.states_max);
      return truth.finished && JudgeSpec(engine, spec, system, truth).complaint == complaint;
    };
    Disagreement detail{.seed = original.seed, .engine = engine.name, .complaint = complaint};
    detail.spec = integration::Minimise(original, same_complaint, options_.attempts_max);
    const model::System system = integration::MakeRandomSystem(detail.spec);
    const auto truth = search::NaiveSearch(*system.service, system.start, options_.states_max);
    Verdict verdict = JudgeSpec(engine, detail.spec, system, truth);
    detail.text = std::move(verdict.text);
    detail.expected = truth.ViolatedNames();
    detail.found = std::move(verdict.found);
    for (const auto& [name, path] : truth.violated) {
      if (detail.found.contains(name) || !detail.missed_path.empty()) continue;
      for (const model::PathStep& step : path) {
        detail.missed_path.push_back(StepText(*system.service, step));
      }
    }
    return detail;
  }

  const SelftestOptions& options_;
  const std::vector<SelftestEngine>& engines_;
  SelftestReport report_;
};

}  // namespace

bool SelftestReport::agreed() const {
  return std::all_of(engines.begin(), engines.end(),
                     [](const EngineTally& tally) { return tally.disagreements == 0; });
}

SelftestReport RunSelftest(const SelftestOptions& options,
                           const std::vector<SelftestEngine>& engines,
                           const SelftestProgress& progress) {
  return Selftest(options, engines).Run(progress);
}

}  // namespace foretell::agent
