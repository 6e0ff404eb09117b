#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/budget.h"
#include "model/cut.h"
#include "model/event.h"
#include "model/service.h"

namespace foretell::predictors {

// What a search for one thing came to.
struct Sighting {
  std::optional<model::Path> path;  // A way to it.
  bool complete = false;            // Not found, and everything was looked at.
  uint64_t steps = 0;               // Spent on the search.
};

// Whether it counts that nothing was found: the search was complete, or went well beyond what a
// search takes to find the same thing where it is there.
inline bool Counts(const Sighting& sighting, std::optional<uint64_t> steps_where_found) {
  return sighting.complete || (steps_where_found && sighting.steps / 2 >= *steps_where_found);
}

// Looks for a way to break one of the invariants of `service`, local assertions only if
// `assertions` says so. Tries `engines` (predictors/engines.h) one after the other, each with half
// of what is left of the budget, the last with all of it.
absl::StatusOr<Sighting> LookFor(const model::Service& service, const model::SystemCut& start,
                                 bool assertions, const std::vector<std::string>& engines,
                                 model::Budget& budget);

}  // namespace foretell::predictors
