#pragma once

#include <optional>

#include "foretell/model/cut.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/search/cover/bags.h"
#include "foretell/search/cover/cover_tree.h"

namespace foretell::search {

// A concrete way from the root of the tree to the system state of node `target`: the branch, with
// each loop taken as often as what follows needs its messages. Nothing if that is more than
// `steps_max` steps.
std::optional<model::Path> Unroll(const model::TransitionTable& table, const Bags& bags,
                                  const CoverTree& tree, uint32_t target, size_t steps_max);

}  // namespace foretell::search
