#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/search/recovery/oracle.h"

namespace foretell::search {

// One event more, which nobody may count on, and whether a dead state recovers after it: restarts,
// broken streams, calls if they are not counted on, and what is adverse. Fault budgets do not
// matter here: this is advice to an operator. What helps replays through the plain semantics, with
// one more fault allowed, to where predicate number `property` of `service` holds; what does not is
// dead as before. Those that help come first, the quickest before. Fails on our own bug.
absl::StatusOr<std::vector<model::Cure>> FindCures(const model::Service& service, size_t property,
                                                   Oracle& oracle, RecoveryMoves& moves,
                                                   const model::SystemCut& dead,
                                                   model::Budget& budget);

}  // namespace foretell::search
