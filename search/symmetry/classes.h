#pragma once

#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/id.h"
#include "foretell/search/global_space.h"

namespace foretell::search {

// Nodes that are interchangeable, each in one class at most.
using NodeClasses = std::vector<std::vector<model::NodeId>>;

// The classes of the service, divided until no exchange within one changes `start` or what faults
// may hit whom: what is left is the group of permutations under which the start is what it is.
// REQUIRES: the classes are valid (model::ValidateService) and `start` is, too.
NodeClasses ClassesThatFix(const model::SystemCut& start, GlobalSpace& space);

}  // namespace foretell::search
