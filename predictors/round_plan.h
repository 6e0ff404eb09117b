#pragma once

#include "absl/status/statusor.h"
#include "foretell/model/budget.h"
#include "foretell/model/service.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/predictors/steering.h"

namespace foretell::predictors {

// A plan for everything that is imagined from a live cut, not only for the space in which the
// violation was predicted: the predicted path is stopped first, then whatever else leads to the
// same violation in any space with the filters so far in place. A filter only takes
// possibilities away, so a space that was safe stays safe.
//
// Empty filters if some space cannot be made safe within the budget: half a plan would only look
// like one. REQUIRES: `predicted` is one of the prediction's.
absl::StatusOr<Plan> PlanRound(const model::Service& service, const Prediction& prediction,
                               const Predicted& predicted, const SteeringOptions& options,
                               model::Budget& budget);

}  // namespace foretell::predictors
