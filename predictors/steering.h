#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/budget.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/predictors/views/imagined_faults.h"
#include "foretell/snapshot/node/filter.h"

namespace foretell::predictors {

struct SteeringOptions {
  std::vector<bool> steerable;  // By node: true if its events may be vetoed. Missing: not.
  size_t filters_max = 16;      // More filters than this stop the service rather than steer it.
  size_t steps_max = SIZE_MAX;  // What is further away is told, and not planned against.
  Steady steady;  // Nodes whose faults are not planned against before they have happened.
};

// The vetoes that keep a predicted violation from happening.
struct Plan {
  // Without decision, lease and mode, which the agent adds. Empty if no safe plan exists.
  std::vector<snapshot::Filter> filters;
  size_t step = 0;        // Of the path, from 0: the first event that the plan stops.
  bool complete = false;  // With the filters, every way from the start was looked at.
  // The steps of a search that finds the violation where nothing is vetoed; nothing if it did not.
  std::optional<uint64_t> steps_unfiltered;
  // Faults that it is made against and that have not happened: "node 0 crashes". Empty if what it
  // stops can happen without any.
  std::vector<std::string> assumes;
  std::string text;  // One sentence: the vetoes and how they were checked, or why there is no plan.
};

// A plan of the earliest events that can be vetoed and whose veto was checked: from the same start,
// with the filters in place, no violation of the invariant is found within the budget, and the
// service can still make progress. Adds filters until that holds.
//
// Events that can be vetoed: the delivery of a datagram (drop), of a message on a stream if the
// node's fault budget has a break left, which is what a reset is to a checker (reset), a timer
// (postpone), an application call (refuse). Faults cannot, nor actions that the service calls not
// vetoable.
//
// A search that finds nothing counts if it was complete, or if it went further than a search for
// the violation without filters has to go.
//
// Of a death (the violation of a liveness predicate), those that take a fault are a risk and have
// no plan. For others, no other way into death without a fault may be left, and with the filters in
// place the predicate can still come to hold.
//
// Faults of nodes that are `steady` are not imagined: what takes one has no plan, and other ways to
// the violation are stopped only if they take none.
//
// Progress over a horizon (predictors/views/horizon.h): where liveness predicates come to hold
// again and again while nothing goes wrong, one of them still does if vetoes like those of the plan
// are made each time. If the earliest events leave no such plan, later ones are tried.
//
// Progress: a liveness predicate that does not hold yet can still come to hold, and the invariant
// with it. If none can, filters or not, then it is enough that some node can still do something, or
// take a call.
//
// Fails if `violation` does not follow from the cut of `space`, or if the service throws outside of
// a handler.
absl::StatusOr<Plan> PlanSteering(const model::Service& service, const model::Imagined& space,
                                  const model::Violation& violation, const SteeringOptions& options,
                                  model::Budget& budget);
// The same for one of a prediction, which was confirmed from its cut when it was made.
absl::StatusOr<Plan> PlanConfirmed(const model::Service& service, const model::Imagined& space,
                                   const model::Violation& violation,
                                   const SteeringOptions& options, model::Budget& budget);

// What there is to choose from: for each event of the path that can be vetoed, in the order of the
// path, the plan that begins with it, checked as above; without filters, and with the reason as its
// text, if that is none.
absl::StatusOr<std::vector<Plan>> PlanAlternatives(const model::Service& service,
                                                   const model::Imagined& space,
                                                   const model::Violation& violation,
                                                   const SteeringOptions& options,
                                                   model::Budget& budget);

}  // namespace foretell::predictors
