#pragma once

#include <vector>

#include "foretell/model/liveness/liveness.h"
#include "foretell/search/recovery/oracle.h"

namespace foretell::search {

// One event more, which nobody may count on, and whether a dead state recovers after it: restarts,
// broken streams, calls if they are not counted on, and what is adverse. Fault budgets do not
// matter here: this is advice to an operator. Those that help come first, the quickest before.
std::vector<model::Cure> FindCures(Oracle& oracle, RecoveryMoves& moves,
                                   model::InvariantTable& invariants, const GlobalState& dead,
                                   model::Budget& budget);

}  // namespace foretell::search
