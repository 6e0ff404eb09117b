#pragma once

#include <vector>

#include "foretell/integration/chord/ring/protocol.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::chord::ring {

// all-nodes, preds-match and all-joined, which come to hold again and again; and succ-pred.
std::vector<model::TypedInvariant<State>> MakeInvariants();

}  // namespace foretell::integration::chord::ring
