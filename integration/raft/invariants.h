#pragma once

// Raft's promises (Ongaro's dissertation, figure 3.2), as predicates over nodes as they are now,
// and one that speaks earlier.

#include <cstdint>
#include <vector>

#include "foretell/integration/raft/values/state.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::raft {

// `early_warning`: also what is harmless by itself and comes before harm.
std::vector<model::TypedInvariant<State>> MakeInvariants(bool early_warning);

}  // namespace foretell::integration::raft
