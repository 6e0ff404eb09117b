#include "foretell/agent/selftest/selftest.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/selftest/judge.h"
#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/integration/random/shrink.h"
#include "foretell/model/process/protocol.h"
#include "foretell/model/process/random/random_program.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/naive_search.h"

namespace foretell::agent {
namespace {

using integration::RandomServiceSpec;

constexpr size_t kShallow = 4;     // Steps; see SelftestReport::deep.
constexpr uint64_t kTwiceIn = 16;  // One service in so many is run twice.

using model::process::random::ProgramSpec;

// Every fourth is plain; the others have more and more in them.
ProgramSpec DrawProgram(uint64_t seed) {
  return model::process::random::DrawProgram(seed, {.several = seed % 4 == 1,
                                                    .buffered = seed % 4 >= 2,
                                                    .expires = seed % 4 == 3,
                                                    .refuses = seed % 4 >= 1,
                                                    .contents = seed % 4 == 2});
}

model::System SystemOf(const ProgramSpec& spec) {
  model::System system;
  system.service =
      model::MakeService(model::process::Protocol(model::process::random::MakeProgram(spec)));
  system.start = model::InitialCut(*system.service);
  return system;
}

size_t InstructionCount(const ProgramSpec& spec) {
  size_t count = 0;
  for (const auto& code : spec.processes) count += code.size();
  return count;
}

ProgramSpec WithoutInstruction(ProgramSpec spec, size_t index) {
  for (auto& code : spec.processes) {
    if (index < code.size()) {
      code.erase(code.begin() + static_cast<std::ptrdiff_t>(index));
      return spec;
    }
    index -= code.size();
  }
  return spec;
}

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
    for (uint64_t seed = options_.seed; report_.programs < options_.programs; ++seed) {
      CheckProgram(seed);
      if (progress) progress(report_);
    }
    return std::move(report_);
  }

 private:
  // Makes a smaller case of one in which an engine is wrong, and says what is wrong there.
  using Details = std::function<Disagreement(const SelftestEngine& engine, Complaint complaint)>;

  void CheckService(const RandomServiceSpec& spec) {
    const model::System system = integration::MakeRandomSystem(spec);
    CheckSystem(system, spec.seed, [&](const SelftestEngine& engine, Complaint complaint) {
      return Detail(engine, complaint, spec);
    });
  }

  void CheckProgram(uint64_t seed) {
    const ProgramSpec spec = DrawProgram(seed);
    const bool fits =
        CheckSystem(SystemOf(spec), seed, [&](const SelftestEngine& engine, Complaint complaint) {
          return DetailOfProgram(engine, complaint, seed, spec);
        });
    if (fits) ++report_.programs;
  }

  // False if there are too many states.
  bool CheckSystem(const model::System& system, uint64_t seed, const Details& details) {
    const search::NaiveResult truth = TruthOf(system);
    if (!truth.finished) {
      ++report_.skipped;
      return false;
    }
    ++report_.checked;
    report_.states += truth.states;
    report_.invariants += 1 + system.service->invariants().size();
    report_.violated += truth.violated.size();
    for (const auto& [name, path] : truth.violated) report_.deep += path.size() > kShallow ? 1 : 0;
    for (size_t e = 0; e < engines_.size(); ++e) {
      const Verdict verdict = JudgeSeed(engines_[e], seed, system, truth);
      Count(verdict, report_.engines[e]);
      if (!verdict.complaint || report_.engines[e].disagreements > options_.details_max) continue;
      report_.disagreements.push_back(details(engines_[e], *verdict.complaint));
    }
    return true;
  }

  search::NaiveResult TruthOf(const model::System& system) const {
    return search::NaiveSearch(*system.service, system.start, options_.states_max);
  }

  static void Count(const Verdict& verdict, EngineTally& tally) {
    ++(verdict.complete ? tally.complete : tally.incomplete);
    tally.violations += verdict.found.size();
    tally.disagreements += verdict.complaint ? 1 : 0;
  }

  Verdict JudgeSeed(const SelftestEngine& engine, uint64_t seed, const model::System& system,
                    const search::NaiveResult& truth) const {
    // In proportion to the service: engines whose bookkeeping has no end on it (optimism about what
    // circulates, say) must fall back or give up before they take minutes.
    const uint64_t steps_max = 3 * truth.transitions + options_.steps_extra;
    return Judge(engine, system, truth, steps_max, seed % kTwiceIn == 0);
  }

  bool SameComplaint(const SelftestEngine& engine, Complaint complaint, uint64_t seed,
                     const model::System& system) const {
    const search::NaiveResult truth = TruthOf(system);
    return truth.finished && JudgeSeed(engine, seed, system, truth).complaint == complaint;
  }

  // The smallest service with the same complaint, and what is wrong there.
  Disagreement Detail(const SelftestEngine& engine, Complaint complaint,
                      const RandomServiceSpec& original) const {
    const RandomServiceSpec spec = integration::Minimise(
        original,
        [&](const RandomServiceSpec& smaller) {
          return SameComplaint(engine, complaint, original.seed,
                               integration::MakeRandomSystem(smaller));
        },
        options_.attempts_max);
    Disagreement detail =
        DetailOf(engine, complaint, original.seed, integration::MakeRandomSystem(spec));
    detail.spec = spec;
    detail.service = integration::DescribeSpec(spec);
    return detail;
  }

  // The same, one instruction less at a time.
  Disagreement DetailOfProgram(const SelftestEngine& engine, Complaint complaint, uint64_t seed,
                               ProgramSpec spec) const {
    uint64_t attempts = options_.attempts_max;
    for (size_t i = 0; i < InstructionCount(spec) && attempts > 0;) {
      --attempts;
      const ProgramSpec smaller = WithoutInstruction(spec, i);
      if (SameComplaint(engine, complaint, seed, SystemOf(smaller))) {
        spec = smaller;
        i = 0;
      } else {
        ++i;
      }
    }
    Disagreement detail = DetailOf(engine, complaint, seed, SystemOf(spec));
    detail.service = model::process::random::Describe(spec);
    return detail;
  }

  Disagreement DetailOf(const SelftestEngine& engine, Complaint complaint, uint64_t seed,
                        const model::System& system) const {
    Disagreement detail{.seed = seed, .engine = engine.name, .complaint = complaint};
    const search::NaiveResult truth = TruthOf(system);
    Verdict verdict = JudgeSeed(engine, seed, system, truth);
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
