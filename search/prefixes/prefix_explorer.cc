#include "foretell/search/prefixes/prefix_explorer.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/prefixes/prefix_search.h"
#include "foretell/search/recovery/property_view.h"

namespace foretell::search {
namespace {

using model::LivenessVerdict;

// Makes what was found from a prefix the answer of `report`, of which the rest stays.
void Conclude(PrefixSearch::Found found, model::Liveness liveness, model::Report& report) {
  const bool start = IsOfStart(*found.violation.death);
  liveness.verdict = start ? LivenessVerdict::kStartDead : LivenessVerdict::kDead;
  liveness.text = found.violation.text;
  liveness.interval = found.interval;
  liveness.from = found.from;
  report.outcome = model::Outcome::kViolation;
  report.complete = false;
  report.violations = {std::move(found.violation)};
  report.liveness = std::make_shared<model::Liveness>(std::move(liveness));
}

class PrefixExplorer final : public model::Explorer {
 public:
  PrefixExplorer(const model::Service& service, LiveOptions options)
      : service_(service),
        options_(std::move(options)),
        live_(MakeLiveExplorer(service, options_)) {}

  absl::StatusOr<model::Report> Explore(const model::SystemCut& start,
                                        model::Budget& budget) override {
    const std::optional<size_t> property = PropertyView::Find(service_, options_.property);
    // Engine `live` knows what to say.
    if (!property || !model::ValidateCut(service_, start).ok())
      return live_->Explore(start, budget);
    PrefixSearch prefixes(service_, *property, options_);
    model::Liveness liveness{.property = options_.property};
    if (!options_.earlier.empty()) {
      auto found = JudgeRecorded(start, prefixes, budget);
      if (!found.ok()) return found.status();
      liveness.cuts = prefixes.fates();
      if (*found) {
        model::Report report;
        Conclude(**std::move(found), std::move(liveness), report);
        return report;
      }
    }
    return GoOn(start, prefixes, liveness.cuts, budget);
  }

 private:
  PrefixSearch::Result JudgeRecorded(const model::SystemCut& start, PrefixSearch& prefixes,
                                     model::Budget& budget) {
    std::vector<model::SystemCut> cuts = options_.earlier;
    cuts.push_back(start);
    constexpr uint32_t kPercent = 50;
    model::Budget share = budget.Share(kPercent);
    PrefixSearch::Result found = prefixes.Recorded(cuts, share);
    budget.Charge(share);
    return found;
  }

  // What lies ahead of the start: all of it, or else what can be seen from live executions.
  absl::StatusOr<model::Report> GoOn(const model::SystemCut& start, PrefixSearch& prefixes,
                                     const std::vector<model::CutFate>& cuts,
                                     model::Budget& budget) {
    constexpr uint32_t kPercent = 85;
    model::Budget share = budget.Share(kPercent);
    auto report = live_->Explore(start, share);
    budget.Charge(share);
    if (!report.ok() || report->liveness == nullptr) return report;
    model::Liveness liveness = *report->liveness;
    liveness.cuts = cuts;
    liveness.from = options_.earlier.size();
    report->liveness = std::make_shared<model::Liveness>(liveness);
    if (report->outcome != model::Outcome::kBudget || !prefixes.Covers(start)) return report;
    auto found = prefixes.FromLiveExecutions(start, budget);
    if (!found.ok()) return found.status();
    if (*found) {
      (*found)->from = liveness.from;
      Conclude(**std::move(found), std::move(liveness), *report);
    }
    if (prefixes.executions() > 0) {
      report->notes.push_back(absl::StrCat("Also went on from ", prefixes.executions(),
                                           " executions in which it holds."));
    }
    return report;
  }

  const model::Service& service_;
  const LiveOptions options_;
  const std::unique_ptr<model::Explorer> live_;
};

}  // namespace

std::unique_ptr<model::Explorer> MakePrefixExplorer(const model::Service& service,
                                                    LiveOptions options) {
  return std::make_unique<PrefixExplorer>(service, std::move(options));
}

}  // namespace foretell::search
