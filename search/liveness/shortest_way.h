#pragma once

#include <optional>
#include <span>

#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/event.h"
#include "foretell/search/global_space.h"

namespace foretell::search {

// A way from `start` to where the nodes are in the states of `system`, whatever is in flight then:
// a shortest one with twice as many equal datagrams in flight as `usual`, or else with four times
// as many, and so on. What `cover` unrolls goes around loops and is long; people should not have to
// read that. Nothing if there is none among the first hundred thousand states.
std::optional<model::Path> ShortestWay(model::TransitionTable& table,
                                       model::InvariantTable& invariants, Copies usual,
                                       const model::SystemCut& start,
                                       std::span<const model::StateId> system,
                                       model::Budget& budget);

}  // namespace foretell::search
