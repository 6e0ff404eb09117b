#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/id.h"

namespace foretell::snapshot {

// The header that every message carries besides its body.
struct Stamp {
  uint64_t checkpoint = 0;  // The sender's checkpoint number when it was sent.
  uint64_t epoch = 0;       // Names one life of the channel; a later life has a higher number.
  uint64_t seq = 0;         // 1, 2, ... within the epoch, per receiver; 0 only announces the epoch.
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

// A channel begins anew with each life of its sender, and when a stream is reset.
constexpr uint64_t FirstEpoch(uint64_t life) { return life << 32; }
constexpr uint64_t LifeOf(uint64_t epoch) { return epoch >> 32; }

// The distance by which a datagram may be behind the newest message of its channel and still be
// taken. The receiver drops older ones, so that a checkpoint knows which messages can still arrive.
inline constexpr uint64_t kWindow = 64;

// Limits of a sender's memory of one channel, in messages and in bytes of their bodies. Datagrams:
// a receiver that lags behind by a window still finds everything that it can receive. Streams: more
// is needed, because nothing is ever given up; what was acknowledged is forgotten early.
inline constexpr size_t kDatagramsKept = 2 * kWindow;
inline constexpr size_t kStreamKept = 1024;
inline constexpr size_t kSentBytesMax = 4 << 20;

// The lead that another checkpoint number may have over a node's own. Numbers count snapshots, so
// more than this is damage; believing it would use numbers up, and everyone's, for numbers spread.
inline constexpr uint64_t kJumpMax = uint64_t{1} << 32;

struct SentMessage {
  uint64_t seq = 0;
  std::string body;
  uint64_t checkpoint = 0;  // As on its stamp.
  friend bool operator==(const SentMessage&, const SentMessage&) = default;
};

// A struct below names its numbers, as the schema does, in Numbers: the wire needs nothing else to
// carry them (wire/convert.cc).

// One channel as its sender saw it at the checkpoint.
struct Outbox {
  model::NodeId to{0};
  uint64_t epoch = 0;
  uint64_t last = 0;  // Sequence number of the last message sent; 0 if none.
  // The last ones up to `last`, rising without gaps. Streams: without those that are known to have
  // been received.
  std::vector<SentMessage> recent;
  friend bool operator==(const Outbox&, const Outbox&) = default;

  template <class Self, class Visit>
  static void Numbers(Self& self, Visit&& visit) {
    visit("epoch", self.epoch);
    visit("last", self.last);
  }
};

// One channel as its receiver saw it at the checkpoint.
struct Inbox {
  model::NodeId from{0};
  uint64_t epoch = 0;
  uint64_t high = 0;              // The highest sequence number received; 0 if none.
  std::vector<uint64_t> missing;  // Numbers not received of the last kWindow up to `high`, rising.
  bool closed = false;            // Streams: broken; nothing more of this epoch is taken.
  friend bool operator==(const Inbox&, const Inbox&) = default;

  template <class Self, class Visit>
  static void Numbers(Self& self, Visit&& visit) {
    visit("epoch", self.epoch);
    visit("high", self.high);
    visit("closed", self.closed);
  }
};

// A node at one moment: its state, and for each channel what it had sent and received.
struct Checkpoint {
  model::NodeId node{0};
  uint64_t number = 0;
  model::NodeState state;
  std::vector<Outbox> sent;     // By rising receiver, one per node that was sent to.
  std::vector<Inbox> received;  // By rising sender, one per node that was heard of.
  uint64_t life = 0;            // 1, 2, ...: how often the node has started.
  // No earlier life of this node had a higher number, so none received a message with one.
  uint64_t floor = 0;
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;

  // True if an earlier life may have received `message`: a restart forgets what was received.
  bool MayHaveForgotten(const SentMessage& message) const {
    return life > 1 && message.checkpoint <= floor;
  }

  template <class Self, class Visit>
  static void Numbers(Self& self, Visit&& visit) {
    visit("number", self.number);
    visit("life", self.life);
    visit("floor", self.floor);
  }
  // Rules for an answer to a request for checkpoint `asked`, channels apart (validate.h): calls
  // require(holds, words...) for each, with the words of the complaint.
  template <class Visit>
  void Rules(uint64_t asked, Visit&& require) const {
    require(number >= asked, "checkpoint ", number, ", asked for ", asked);
    require(life > 0 && life == LifeOf(FirstEpoch(life)), "life ", life, ", not from 1 to ",
            UINT32_MAX);
    require(floor < asked, "life ", life, " began at ", floor, ", too late for checkpoint ", asked);
    require(state.status != model::NodeStatus::kAbsent, "answered checkpoint ", asked,
            ", but as an absent node");
  }
};

}  // namespace foretell::snapshot
