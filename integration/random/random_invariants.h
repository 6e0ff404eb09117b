#pragma once

#include "integration/random/random_source.h"
#include "integration/random/random_spec.h"

namespace foretell::integration {

// Adds invariants to a spec that is complete but for them. A few random walks show what is reached
// early and late, so that a good share is violated, often after many steps only.
void DrawInvariants(RandomSource& random, RandomServiceSpec& spec);

}  // namespace foretell::integration
