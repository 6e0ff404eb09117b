#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/cut.h"
#include "model/id.h"

namespace foretell::snapshot {

// What every message carries besides its body.
struct Stamp {
  uint64_t checkpoint = 0;  // The sender's checkpoint number when it was sent.
  uint64_t epoch = 0;       // Names one life of the channel; a later life has a higher number.
  uint64_t seq = 0;         // 1, 2, ... within the epoch, per receiver.
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

// How far behind the newest message of a channel a datagram may be and still be taken. What is
// older is dropped by the receiver, so that a checkpoint knows which messages can still arrive.
inline constexpr uint64_t kWindow = 64;

struct SentMessage {
  uint64_t seq = 0;
  std::string body;
  friend bool operator==(const SentMessage&, const SentMessage&) = default;
};

// One channel as its sender saw it at the checkpoint.
struct Outbox {
  model::NodeId to{0};
  uint64_t epoch = 0;
  uint64_t last = 0;  // Sequence number of the last message sent; 0 if none.
  // Datagrams: the last kWindow. Streams: all that the receiver is not known to have received.
  std::vector<SentMessage> recent;
  friend bool operator==(const Outbox&, const Outbox&) = default;
};

// One channel as its receiver saw it at the checkpoint.
struct Inbox {
  model::NodeId from{0};
  uint64_t epoch = 0;             // 0: nothing was ever received.
  uint64_t high = 0;              // The highest sequence number received.
  std::vector<uint64_t> missing;  // Those of the last kWindow up to `high` not received, rising.
  friend bool operator==(const Inbox&, const Inbox&) = default;
};

// A node at one moment: its state, and for each channel what it had sent and received.
struct Checkpoint {
  model::NodeId node{0};
  uint64_t number = 0;
  model::NodeState state;
  std::vector<Outbox> sent;     // By rising receiver, one per node that was sent to.
  std::vector<Inbox> received;  // By rising sender, one per node that was heard of.
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

}  // namespace foretell::snapshot
