#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/budget.h"
#include "model/service.h"
#include "predictors/portfolio.h"
#include "snapshot/filter.h"

namespace foretell::predictors {

struct SteeringOptions {
  std::vector<bool> steerable;  // By node: whether its events may be vetoed.
  size_t filters_max = 16;      // More would be a cage, not a steer.
};

// What to veto so that a predicted violation does not happen.
struct Plan {
  // Without decision, lease and mode, which the agent adds. Empty if no safe plan exists.
  std::vector<snapshot::Filter> filters;
  size_t step = 0;   // Of the path: the first event that the plan stops.
  std::string text;  // One sentence: what is stopped and what was checked, or why there is no plan.
};

// The earliest events that can be vetoed and whose veto was checked: from the same start, with the
// filters in place, no violation of the invariant is found within the budget, and the service can
// still make progress. Adds filters until that holds.
absl::StatusOr<Plan> PlanSteering(const model::Service& service, const Predicted& predicted,
                                  const SteeringOptions& options, model::Budget& budget);

}  // namespace foretell::predictors
