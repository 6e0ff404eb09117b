#include "predictors/lookout.h"

#include <utility>

#include "model/check.h"
#include "model/report.h"
#include "predictors/engines.h"

namespace foretell::predictors {
namespace {

using model::Budget;
using model::Report;

// To the first violation. If that is an assertion nobody asked for, once more past it.
absl::StatusOr<Sighting> LookOnce(const std::string& name, const model::Service& service,
                                  const model::SystemCut& start, bool assertions, Budget& budget) {
  Sighting sighting;
  for (const bool past_assertions : {false, true}) {
    EngineOptions options;
    options.all_invariants = past_assertions;
    const auto engine = MakeEngine(name, service, options);
    FORETELL_CHECK(engine != nullptr);
    absl::StatusOr<Report> report = engine->Explore(start, budget);
    if (!report.ok()) return report.status();
    for (model::Violation& violation : report->violations) {
      if ((violation.invariant == model::kLocalAssertions) != assertions || sighting.path) continue;
      sighting.path = std::move(violation.path);
    }
    sighting.complete = !sighting.path && report->complete;
    if (sighting.path || report->violations.empty()) break;
  }
  return sighting;
}

}  // namespace

absl::StatusOr<Sighting> LookFor(const model::Service& service, const model::SystemCut& start,
                                 bool assertions, const std::vector<std::string>& engines,
                                 Budget& budget) {
  constexpr uint32_t kSharePercent = 50;
  Sighting result;
  for (size_t i = 0; i < engines.size() && !budget.spent(); ++i) {
    Budget share = budget.Share(i + 1 < engines.size() ? kSharePercent : 100);
    absl::StatusOr<Sighting> sighting = LookOnce(engines[i], service, start, assertions, share);
    budget.Charge(share);
    if (!sighting.ok()) return sighting;
    result.path = std::move(sighting->path);
    result.complete = sighting->complete;
    result.steps += share.steps_taken();
    if (result.path || result.complete) break;
  }
  return result;
}

}  // namespace foretell::predictors
