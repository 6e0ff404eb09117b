#pragma once

// One replayed path, as lanes of nodes and moments in time: all that the drawings know. Every
// text in it is printable UTF-8.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// A named part of a node's state that is not what it was.
struct Change {
  std::string name;
  std::string before;
  std::string after;
  bool appears = false;   // There was no such part before: it came with a new element or value.
  bool vanishes = false;  // There is no such part any more: it went with its element or value.
  friend bool operator==(const Change&, const Change&) = default;
};

struct SentMessage {
  uint32_t to = 0;  // Node.
  std::string label;
  std::optional<size_t> arrives;  // The moment of its first delivery; nothing: not on this path.
  std::string name;               // Its kind: `Accept`; empty if the service does not tell.
  std::vector<model::Field> fields;
};

// One step of the path.
struct Moment {
  size_t step = 0;  // Its number there, from 1.
  model::EventKind kind = model::EventKind::kAction;
  uint32_t lane = 0;
  uint32_t peer = 0;              // The sender's lane, or the other end of a broken stream.
  uint32_t peer_node = 0;         // The node of that lane.
  std::string label;              // `Accept(b=2, v=1)`, `Propose()`, `crash`, ...
  std::optional<size_t> sent_at;  // Deliveries: the moment of sending; nothing: before the start.
  std::vector<uint32_t> choices;
  std::vector<Change> changes;
  std::vector<SentMessage> sends;
  model::NodeStatus status = model::NodeStatus::kUp;  // Of the node, afterwards.
  std::string name;  // The kind of the message or action; empty if the service does not tell.
  std::vector<model::Field> fields;
  std::vector<std::string> choice_labels;  // Of `choices`; may be fewer, or empty.
  std::string does;  // What there is to say of it beside its label; mostly nothing.
};

struct Lane {
  uint32_t node = 0;
  std::string name;                                   // `node 0`, `node 0 (coordinator)`.
  model::NodeStatus status = model::NodeStatus::kUp;  // At the start.
  std::vector<Change> at_start;  // Brought along by a start other than the initial state.
  std::vector<Change> at_end;    // All that differs from the initial state at the end.
  bool breaks = false;           // The invariant does not hold because of this node.
  std::string role;              // Empty if it has no name.
};

struct SpaceTime {
  std::string title;
  std::string invariant;
  std::string why;
  std::vector<Lane> lanes;
  std::vector<Moment> moments;
  size_t in_flight_at_start = 0;
  size_t cycle_from = 0;  // The moments from this one on, counted from 1, repeat for ever; 0: none.
  size_t bystanders = 0;  // Nodes without a lane, because nothing happens there.
  size_t hidden = 0;      // Steps of the path that are not among the moments.
  // What is drawn instead, if there is something easier to read: see matches.h.
  std::shared_ptr<const SpaceTime> folded;
};

inline const SpaceTime& EasiestToRead(const SpaceTime& picture) {
  return picture.folded != nullptr ? *picture.folded : picture;
}

// Replays the violation; fails if it does not replay, or if what is said to repeat does not lead
// back.
absl::StatusOr<SpaceTime> BuildSpaceTime(const model::Service& service,
                                         const model::SystemCut& start,
                                         const model::Violation& violation,
                                         const std::string& title);

}  // namespace foretell::agent
