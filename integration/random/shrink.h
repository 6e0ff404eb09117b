#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "foretell/integration/random/random_spec.h"

namespace foretell::integration {

// One way to make a spec smaller. Valid for the spec it was made for.
using SpecEdit = std::function<void(RandomServiceSpec&)>;

// Every way to make `spec` smaller by one thing, large things first. Each leaves a valid spec whose
// stable invariants are still stable.
std::vector<SpecEdit> Shrinks(const RandomServiceSpec& spec);

// A smallest spec in the sense that no single edit keeps `interesting` true. Greedy, deterministic,
// at most `attempts_max` questions.
// REQUIRES: `interesting(spec)`.
RandomServiceSpec Minimise(RandomServiceSpec spec,
                           const std::function<bool(const RandomServiceSpec&)>& interesting,
                           uint64_t attempts_max);

}  // namespace foretell::integration
