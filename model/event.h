#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "foretell/model/id.h"

namespace foretell::model {

// What can happen at one node.
enum class EventKind : uint8_t {
  kDeliver,  // A message that is in flight arrives.
  kAction,   // The node acts by itself: a timer, an application call, a disk completion.
  kCrash,    // The node stops; only the persistent part of its state survives.
  kRestart,  // A crashed node comes back. Streams towards it begin empty.
  kBreak,    // The stream from `peer` breaks: what is in flight on it is lost.
  kLast = kBreak,
};

// The word used for `kind` in reports: "deliver", "action", ...
const char* KindName(EventKind kind);

// An event in full, as handlers and replay see it. Bodies are canonical encodings.
struct Event {
  EventKind kind = EventKind::kAction;
  NodeId peer;       // Sender for kDeliver, other end for kBreak, else 0.
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
