#include "foretell/predictors/round_plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/predictors/death_search.h"
#include "foretell/predictors/filtered_service.h"

namespace foretell::predictors {
namespace {

using model::Budget;
using model::Imagined;
using model::Service;
using model::Violation;

// A way to a violation, from the focus of a space.
struct Way {
  const Imagined* space = nullptr;
  Violation violation;
};

class RoundPlanner {
 public:
  RoundPlanner(const Service& service, const Prediction& prediction, const Predicted& predicted,
               const SteeringOptions& options, Budget& budget)
      : service_(service),
        prediction_(prediction),
        predicted_(predicted),
        options_(options),
        budget_(budget) {}

  absl::StatusOr<Plan> Make() {
    absl::StatusOr<Plan> plan = First();
    if (!plan.ok() || plan->filters.empty()) return plan;
    // The largest spaces come last and contain the smaller ones, so going backwards saves work.
    for (size_t i = prediction_.spaces.size(); i-- > 0;) {
      absl::StatusOr<std::optional<Plan>> none = Cover(i, *plan);
      if (!none.ok()) return none.status();
      if (*none) return **std::move(none);
    }
    if (!plan->complete) plan->text += " Not all that is imagined could be looked at to the end.";
    if (!plan->assumes.empty()) {
      absl::StrAppend(&plan->text, " It assumes that ", absl::StrJoin(plan->assumes, " and "), ".");
    }
    return plan;
  }

 private:
  // Against the predicted path, or another one if that takes faults that are not planned against.
  absl::StatusOr<Plan> First() {
    Budget share = budget_.Share(50);
    absl::StatusOr<Plan> plan = PlanConfirmed(service_, prediction_.SpaceOf(predicted_),
                                              predicted_.violation, options_, share);
    const bool steady = options_.steady.RuledOut(predicted_.violation.path).empty();
    if (plan.ok() && !steady && !predicted_.violation.death) {
      absl::StatusOr<std::optional<Way>> way = SteadyWay(share);
      if (!way.ok()) return way.status();
      if (*way) plan = PlanSteering(service_, *(*way)->space, (*way)->violation, options_, share);
    }
    budget_.Charge(share);
    return plan;
  }

  // A way to the violation that takes no fault of a steady node, in the first space that has one.
  absl::StatusOr<std::optional<Way>> SteadyWay(Budget& budget) {
    for (size_t i = 0; i < prediction_.spaces.size(); ++i) {
      const Imagined& space = prediction_.spaces[i];
      Budget share = budget.Share(static_cast<uint32_t>(50 / (prediction_.spaces.size() - i)));
      auto outcome = SearchForSame(SteadyService(service_, space.cut, options_.steady, {}), space,
                                   predicted_.violation, share);
      budget.Charge(share);
      if (!outcome.ok()) return outcome.status();
      if (outcome->path) return Way{&space, Along(*std::move(outcome->path))};
    }
    return std::optional<Way>();
  }

  // Extends `plan` to space `i`. What is to be said instead if it cannot be.
  absl::StatusOr<std::optional<Plan>> Cover(size_t i, Plan& plan) {
    const Imagined& space = prediction_.spaces[i];
    const FilteredService filtered(service_, plan.filters);
    Budget share = budget_.Share(static_cast<uint32_t>(100 / (i + 1)));
    auto outcome = SearchForSame(SteadyService(filtered, space.cut, options_.steady, plan.filters),
                                 space, predicted_.violation, share);
    if (!outcome.ok()) return outcome.status();
    if (outcome->path) {
      const absl::StatusOr<Plan> more =
          PlanSteering(filtered, space, Along(*std::move(outcome->path)), Rest(plan), share);
      if (!more.ok()) return more.status();
      if (more->filters.empty()) {
        return Plan{.text =
                        absl::StrCat("No plan for the case that ", space.text, ": ", more->text)};
      }
      Extend(plan, *more, space);
    } else if (!IsConclusive(*outcome, plan.steps_unfiltered)) {
      return Plan{.text = absl::StrCat("No plan: the budget does not last to check the case that ",
                                       space.text, ".")};
    } else {
      plan.complete = plan.complete && outcome->complete;
    }
    budget_.Charge(share);
    return std::optional<Plan>();
  }

  static void Extend(Plan& plan, const Plan& more, const Imagined& space) {
    plan.complete = plan.complete && more.complete;
    plan.filters.insert(plan.filters.end(), more.filters.begin(), more.filters.end());
    absl::StrAppend(&plan.text, " If ", space.text, ": ", more.text);
    if (more.assumes.empty()) return plan.assumes.clear();
    for (const std::string& fault : more.assumes) {
      const auto known = std::find(plan.assumes.begin(), plan.assumes.end(), fault);
      if (known == plan.assumes.end() && !plan.assumes.empty()) plan.assumes.push_back(fault);
    }
  }

  // What is left for a plan on top of `plan`: it stops all other ways, however long.
  SteeringOptions Rest(const Plan& plan) const {
    SteeringOptions rest = options_;
    rest.filters_max -= std::min(rest.filters_max, plan.filters.size());
    rest.steps_max = SIZE_MAX;
    for (const snapshot::Filter& filter : plan.filters) {
      // A reset is one of the breaks of its node, which must be left to the search.
      if (snapshot::TraitsOf(filter.kind).breaks) rest.steady.Remove(filter.node);
    }
    return rest;
  }

  Violation Along(model::Path path) const {
    return {predicted_.violation.invariant, "", std::move(path), predicted_.violation.death};
  }

  const Service& service_;
  const Prediction& prediction_;
  const Predicted& predicted_;
  const SteeringOptions& options_;
  Budget& budget_;
};

}  // namespace

absl::StatusOr<Plan> PlanRound(const Service& service, const Prediction& prediction,
                               const Predicted& predicted, const SteeringOptions& options,
                               Budget& budget) {
  return RoundPlanner(service, prediction, predicted, options, budget).Make();
}

}  // namespace foretell::predictors
