#pragma once

// What Raft promises (Ongaro's dissertation, figure 3.2), as predicates over nodes as they are now,
// and two that speak earlier.

#include <cstdint>
#include <vector>

#include "integration/raft/state.h"
#include "model/typed_invariant.h"

namespace foretell::integration::raft {

// `crashes`: whether nodes may forget what they have applied.
std::vector<model::TypedInvariant<State>> MakeInvariants(bool crashes);

}  // namespace foretell::integration::raft
