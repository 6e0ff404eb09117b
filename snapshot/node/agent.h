#pragma once

// Who steers a node: several agents can, each for itself, and each sees the others.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "foretell/snapshot/node/filter.h"

namespace foretell::snapshot {

inline constexpr size_t kAgentNameMax = 256;  // Bytes of a name, and of a life.
inline constexpr size_t kAgentsMax = 16;      // That a node keeps vetoes or cuts of at one time.

// An agent, as it presents itself to a node.
struct AgentIdentity {
  std::string name;  // The same after a restart, and no other agent's.
  std::string life;  // Of this run of it; its decisions begin with this. Empty: not told.
  std::map<std::string, Mode> modes;  // What it may veto, by invariant.
  friend bool operator==(const AgentIdentity&, const AgentIdentity&) = default;
};

// An agent, as a node knows it.
struct KnownAgent {
  AgentIdentity agent;
  bool connected = false;
  std::chrono::milliseconds known_for{0};  // Since it presented itself like that.
  uint32_t filters = 0;                    // In force.
  std::chrono::milliseconds lease{0};      // Of those filters, the longest that is left.
  friend bool operator==(const KnownAgent&, const KnownAgent&) = default;
};

}  // namespace foretell::snapshot
