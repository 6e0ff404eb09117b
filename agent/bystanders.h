#pragma once

#include "agent/space_time.h"

namespace foretell::agent {

// More lanes than this do not fit beside each other, and most of them are empty.
inline constexpr size_t kAllLanesMax = 8;

// Leaves out the lanes of nodes that do nothing, to which nothing arrives and which are as they
// were at the very beginning, if there are more than kAllLanesMax lanes.
void DropBystanders(SpaceTime& picture);

}  // namespace foretell::agent
