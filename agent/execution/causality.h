#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foretell/agent/execution/execution.h"

namespace foretell::agent {

// What one step directly follows from. Steps count from 1.
struct Cause {
  std::optional<size_t> before;  // The last step of the same node.
  std::optional<size_t> sent;  // Deliveries: the step that sent the message, if it is on the path.
  // How many steps of each node happened before or are this one: a vector clock. The node's own
  // first step has 1.
  std::vector<uint32_t> clock;
};

// One for each step.
std::vector<Cause> CausesOf(const Execution& execution);

}  // namespace foretell::agent
