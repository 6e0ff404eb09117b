#include "foretell/predictors/violation_search.h"

#include <utility>

#include "foretell/model/check.h"
#include "foretell/model/report.h"
#include "foretell/predictors/engines.h"

namespace foretell::predictors {
namespace {

using model::Budget;
using model::Report;

// Searches up to the first violation. If that is an assertion nobody asked for, once more past it.
absl::StatusOr<SearchOutcome> SearchWithEngine(const std::string& name,
                                               const model::Service& service,
                                               const model::SystemCut& start, bool assertions,
                                               Budget& budget) {
  SearchOutcome outcome;
  for (const bool past_assertions : {false, true}) {
    EngineOptions options;
    options.all_invariants = past_assertions;
    const auto engine = MakeEngine(name, service, options);
    FORETELL_CHECK(engine != nullptr);
    absl::StatusOr<Report> report = engine->Explore(start, budget);
    if (!report.ok()) return report.status();
    for (model::Violation& violation : report->violations) {
      if ((violation.invariant == model::kLocalAssertions) != assertions || outcome.path) continue;
      outcome.path = std::move(violation.path);
    }
    outcome.complete = !outcome.path && report->complete;
    if (outcome.path || report->violations.empty()) break;
  }
  return outcome;
}

}  // namespace

absl::StatusOr<SearchOutcome> SearchForViolation(const model::Service& service,
                                                 const model::SystemCut& start, bool assertions,
                                                 const std::vector<std::string>& engines,
                                                 Budget& budget) {
  constexpr uint32_t kSharePercent = 50;
  SearchOutcome result;
  for (size_t i = 0; i < engines.size() && !budget.spent(); ++i) {
    Budget share = budget.Share(i + 1 < engines.size() ? kSharePercent : 100);
    absl::StatusOr<SearchOutcome> outcome =
        SearchWithEngine(engines[i], service, start, assertions, share);
    budget.Charge(share);
    if (!outcome.ok()) return outcome;
    result.path = std::move(outcome->path);
    result.complete = outcome->complete;
    result.steps += share.steps_taken();
    if (result.path || result.complete) break;
  }
  return result;
}

}  // namespace foretell::predictors
