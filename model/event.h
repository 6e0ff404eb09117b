#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "foretell/model/event_kind.h"
#include "foretell/model/id.h"

namespace foretell::model {

// An event in full, as handlers and replay see it. Bodies are canonical encodings.
struct Event {
  EventKind kind = EventKind::kAction;
  NodeId peer;       // See PeerRole; 0 if there is none.
  std::string body;  // Message for kDeliver, action for kAction, else empty.
  friend auto operator<=>(const Event&, const Event&) = default;
};

// One step of a path: `event` at `node`, where the handler's calls of Choose returned `choices`.
struct PathStep {
  NodeId node;
  Event event;
  std::vector<uint32_t> choices;
  friend auto operator<=>(const PathStep&, const PathStep&) = default;
};

using Path = std::vector<PathStep>;

}  // namespace foretell::model
