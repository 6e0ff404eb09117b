#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/service.h"

namespace foretell::predictors {

// The outcome of a search for a violation.
struct SearchOutcome {
  std::optional<model::Path> path;  // A way to the violation.
  bool complete = false;            // Not found, and the whole space was searched.
  uint64_t steps = 0;               // Spent on the search.
};

// True iff it counts that no path was found: the search was complete, or went well beyond the steps
// that a search takes to find the same violation where it is there.
inline bool IsConclusive(const SearchOutcome& outcome, std::optional<uint64_t> steps_where_found) {
  return outcome.complete || (steps_where_found && outcome.steps / 2 >= *steps_where_found);
}

// Searches for a way to break one of the invariants of `service`, local assertions only if
// `assertions` says so. Tries `engines` (predictors/engines.h) one after the other, each with half
// of what is left of the budget, the last with all of it.
absl::StatusOr<SearchOutcome> SearchForViolation(const model::Service& service,
                                                 const model::SystemCut& start, bool assertions,
                                                 const std::vector<std::string>& engines,
                                                 model::Budget& budget);

}  // namespace foretell::predictors
