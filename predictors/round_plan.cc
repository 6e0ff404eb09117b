#include "foretell/predictors/round_plan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/predictors/death_search.h"
#include "foretell/predictors/filtered_service.h"

namespace foretell::predictors {

using model::Budget;
using model::Imagined;
using model::Service;

absl::StatusOr<Plan> PlanRound(const Service& service, const Prediction& prediction,
                               const Predicted& predicted, const SteeringOptions& options,
                               Budget& budget) {
  const std::vector<Imagined>& spaces = prediction.spaces;
  const std::string& invariant = predicted.violation.invariant;
  Budget first = budget.Share(50);
  absl::StatusOr<Plan> plan =
      PlanConfirmed(service, prediction.SpaceOf(predicted), predicted.violation, options, first);
  budget.Charge(first);
  if (!plan.ok() || plan->filters.empty()) return plan;
  // The largest spaces come last and contain the smaller ones, so going backwards saves work.
  for (size_t i = spaces.size(); i-- > 0;) {
    const FilteredService filtered(service, plan->filters);
    Budget share = budget.Share(static_cast<uint32_t>(100 / (i + 1)));
    absl::StatusOr<SearchOutcome> outcome =
        SearchForSame(filtered, spaces[i], predicted.violation, share);
    if (!outcome.ok()) return outcome.status();
    if (outcome->path) {
      const model::Violation other{invariant, "", *std::move(outcome->path),
                                   predicted.violation.death};
      SteeringOptions rest = options;
      rest.filters_max -= std::min(rest.filters_max, plan->filters.size());
      const absl::StatusOr<Plan> more = PlanSteering(filtered, spaces[i], other, rest, share);
      if (!more.ok()) return more.status();
      if (more->filters.empty()) {
        return Plan{
            .text = absl::StrCat("No plan for the case that ", spaces[i].text, ": ", more->text)};
      }
      plan->complete = plan->complete && more->complete;
      plan->filters.insert(plan->filters.end(), more->filters.begin(), more->filters.end());
      absl::StrAppend(&plan->text, " If ", spaces[i].text, ": ", more->text);
    } else if (!IsConclusive(*outcome, plan->steps_unfiltered)) {
      return Plan{.text = absl::StrCat("No plan: the budget does not last to check the case that ",
                                       spaces[i].text, ".")};
    } else {
      plan->complete = plan->complete && outcome->complete;
    }
    budget.Charge(share);
  }
  if (!plan->complete) plan->text += " Not all that is imagined could be looked at to the end.";
  return plan;
}

}  // namespace foretell::predictors
