#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "foretell/integration/random/random_spec.h"
#include "foretell/model/family.h"

namespace foretell::integration {

// The service that `spec` describes, with the cut it starts from.
model::System MakeRandomSystem(const RandomServiceSpec& spec);

// The key by which `invariant` sees a node in `state`, or kNoKey.
int8_t KeyOf(const InvariantSpec& invariant, const RandomState& state);

// True iff one combination of InvariantSpec::bad fits these keys.
bool Fits(std::span<const int8_t> combination, std::span<const int8_t> keys);

// True iff the tables make the invariant stable: it looks at what is written once, survives
// crashes, and cannot vanish with a failing node; and no combination asks for something to be
// absent.
bool IsStable(const RandomServiceSpec& spec, const InvariantSpec& invariant);

}  // namespace foretell::integration
