#pragma once

#include <cstdint>

#include "foretell/integration/random/random_spec.h"

namespace foretell::integration {

// The random service of `seed`: always the same, on every machine. Every service has finitely many
// states, but some have too many for a naive search; whoever draws them sets a limit.
RandomServiceSpec RandomSpec(uint64_t seed);

}  // namespace foretell::integration
