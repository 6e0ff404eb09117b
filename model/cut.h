#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "foretell/model/event_kind.h"
#include "foretell/model/id.h"

namespace foretell::model {

enum class NodeStatus : uint8_t {
  kUp,
  kDown,    // Crashed: `body` holds what survived.
  kFailed,  // A handler threw or broke a local assertion: `body` is the text. Nothing happens here
            // any more.
  kAbsent,  // Not part of the cut, which is a neighbourhood: `body` is empty. Nothing happens here,
            // and no invariant looks at it.
  kLast = kAbsent,
};

// A node as the checker sees it: the service's own state and how much of the node's fault budget
// is used up. Budgets are per node so that whether an event is possible is decided by one node
// alone; every engine relies on that.
struct NodeState {
  NodeStatus status = NodeStatus::kUp;
  FaultCounts faults;
  std::string body;
  friend auto operator<=>(const NodeState&, const NodeState&) = default;
};

// True iff no invariant looks at the node.
inline bool IsSilent(const NodeState& node) {
  return node.status == NodeStatus::kFailed || node.status == NodeStatus::kAbsent;
}

// A message in flight.
struct Message {
  NodeId from;
  NodeId to;
  std::string body;
  friend auto operator<=>(const Message&, const Message&) = default;
};

// A consistent cut: where a check starts, be it the initial state or a snapshot of a live system.
// On FIFO networks messages of one channel are listed in the order in which they were sent.
struct SystemCut {
  std::vector<NodeState> nodes;
  std::vector<Message> in_flight;
  friend auto operator<=>(const SystemCut&, const SystemCut&) = default;
};

// True iff `cut` lacks nodes.
inline bool IsNeighbourhood(const SystemCut& cut) {
  return std::any_of(cut.nodes.begin(), cut.nodes.end(),
                     [](const NodeState& node) { return node.status == NodeStatus::kAbsent; });
}

}  // namespace foretell::model
