#pragma once

#include "foretell/agent/drawing/space_time.h"

namespace foretell::agent {

// More lanes than this do not fit beside each other, and most of them are empty.
inline constexpr size_t kAllLanesMax = 8;

// If there are more than kAllLanesMax lanes, leaves out those of nodes that do nothing, are as they
// were at the very beginning, and break nothing by that.
void DropBystanders(SpaceTime& picture);

}  // namespace foretell::agent
