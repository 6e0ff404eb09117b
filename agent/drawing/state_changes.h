#pragma once

#include <vector>

#include "foretell/agent/drawing/space_time.h"
#include "foretell/model/cut.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// The differences between two states of a node, in the order in which its fields are rendered.
std::vector<Change> StateChanges(const model::Service& service, model::NodeId node,
                                 const model::NodeState& before, const model::NodeState& after);

}  // namespace foretell::agent
