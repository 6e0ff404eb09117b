#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/id.h"
#include "foretell/snapshot/node/agent.h"
#include "foretell/snapshot/node/filter.h"

namespace foretell::snapshot {

// Of the RPC interface. Rises when an old peer would misunderstand a new one; fields that are only
// added do not raise it (see snapshot/README.md).
inline constexpr uint32_t kProtocolVersion = 1;

// The identity that a node claims.
struct NodeInfo {
  uint32_t protocol = kProtocolVersion;
  std::string service;  // Name of the family.
  std::string scenario;
  std::string bug;
  std::string version;  // Of the service's code; see model::ServiceFamily::version.
  model::NodeId node{0};
  uint32_t node_count = 0;
  uint64_t checkpoint = 0;  // Its checkpoint number.
};

// The number of times that a filter matched.
struct FilterHits {
  std::string decision;
  Mode mode = Mode::kEnforce;
  uint64_t count = 0;
};

// Counters of a node since it started; they only ever grow.
struct NodeCounters {
  uint64_t events = 0;            // Handlers run.
  uint64_t checkpoints = 0;       // Taken, forced ones included.
  uint64_t checkpoint_nanos = 0;  // Time spent in taking them.
  uint64_t checkpoint_bytes = 0;  // Of state captured.
  uint64_t vetoed = 0;            // By filters and the immediate check, mode enforce.
  uint64_t shadowed = 0;          // ... that would have been, mode shadow.
  uint64_t immediate_vetoed = 0;  // The part of both that the immediate check did.
  uint64_t immediate_shadowed = 0;
  uint64_t guard_asked = 0;      // Events that were held until agents had answered.
  uint64_t guard_forced = 0;     // Events that should have been, and cannot be.
  uint64_t guard_refused = 0;    // Events that an agent refused.
  uint64_t guard_expired = 0;    // Events that happened although an agent had not answered.
  uint64_t guard_lapsed = 0;     // Agents that were late, and are not asked any more.
  uint64_t guard_nanos = 0;      // Time that events were held.
  std::vector<FilterHits> hits;  // Of the filters in force.
  // The agents that are connected or have left vetoes behind, the one that asks among them.
  std::vector<KnownAgent> agents;
};

// The cut that the agent hands to a node for its immediate safety check.
struct SafetyCut {
  uint64_t number = 0;
  model::SystemCut cut;
  std::map<std::string, Mode> modes;   // By invariant; kShadow or kEnforce, others are left out.
  std::chrono::milliseconds lease{0};  // After that the node checks nothing any more.
};

}  // namespace foretell::snapshot
