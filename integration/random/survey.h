#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "foretell/integration/random/random_spec.h"

namespace foretell::integration {

// A state of the nodes; nothing for failed ones.
struct Sample {
  size_t depth = 0;  // Fewest steps from the start.
  std::vector<std::optional<RandomState>> nodes;
};

// The states nearest to the start of a random service.
struct Survey {
  std::vector<Sample> samples;  // By rising depth; one per system state, network included.
  bool whole = false;           // There are no others.
};

// Looks at `states_max` states at most. The generator judges by it whether a service is worth
// having and which invariants would be hard to decide.
Survey TakeSurvey(const RandomServiceSpec& spec, size_t states_max);

}  // namespace foretell::integration
