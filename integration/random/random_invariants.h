#pragma once

#include "foretell/integration/random/random_source.h"
#include "foretell/integration/random/random_spec.h"
#include "foretell/integration/random/survey.h"

namespace foretell::integration {

// Adds invariants to a spec that is complete but for them. The survey guides the draw: about a
// third are broken within a few steps, a third later only, a third not at all as far as it shows.
void DrawInvariants(RandomSource& random, const Survey& survey, RandomServiceSpec& spec);

}  // namespace foretell::integration
