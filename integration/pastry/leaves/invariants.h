#pragma once

#include <vector>

#include "foretell/integration/pastry/leaves/protocol.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::pastry::leaves {

// all-joined and all-nodes, which come to hold again and again; size-match and one-side.
std::vector<model::TypedInvariant<State>> MakeInvariants();

}  // namespace foretell::integration::pastry::leaves
