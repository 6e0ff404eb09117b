#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/by_node.h"
#include "foretell/snapshot/protocol/checkpoint.h"
#include "foretell/snapshot/protocol/sent_ring.h"
#include "foretell/snapshot/protocol/spare_buffer.h"

namespace foretell::snapshot {

// The treatment that a message is to get from its receiver.
enum class Receipt : uint8_t {
  kTake,
  kDuplicate,  // Was received before, or only announces an epoch: there is nothing to handle.
  // Of an earlier epoch, of a broken stream, further behind than kWindow, or damaged: lost, as far
  // as anyone knows.
  kStale,
  kGap,  // Streams: something before it is missing. The connection is to be reset.
};

// The node's half of the snapshot protocol (CrystalBall, with channel state added). Pure: no clock,
// no I/O, no thread; a host calls it around every send and receive. One thread at a time.
//
// A step of the node, that is OnReceive, the handler, and OnSend for all that the handler sends, is
// not to be interrupted by Request.
//
// Peers are trusted as far as the cluster trusts them. One that sends wrong sequence numbers or
// epochs spoils its own channel and nothing else. Wrong checkpoint numbers would spread, hence
// kJumpMax.
class Checkpointer {
 public:
  struct Options {
    model::NodeId node{0};
    model::NetworkKind network = model::NetworkKind::kDatagrams;
    // Counts the lives of this node: 1 if there was none before, then higher each time, below 2^32.
    uint64_t life = 1;
    // At least the highest number of any earlier life. A host need not write down each number
    // before it goes on: it may reserve some ahead, and start above the reserve.
    uint64_t number = 0;
    size_t bytes_max = 64 << 20;  // Quota for kept checkpoints; the newest is always kept.
    size_t count_max = 16;
  };
  // `capture` encodes the node's state as it is now.
  Checkpointer(Options options, std::function<model::NodeState()> capture);

  // To be put on a message that is being sent.
  Stamp OnSend(model::NodeId to, const std::string& body);
  // Before a message is handled: takes a forced checkpoint first if the stamp's number is higher
  // than ours. Call only for messages that will be handled, or dropped for good by a filter, if
  // kTake is returned. Messages that are not taken change nothing.
  Receipt OnReceive(model::NodeId from, const Stamp& stamp);

  // Optional: goes to `to` without a body after a start or reset, before anything else is sent.
  // Once a receiver has heard of the new epoch, nothing of an older one can arrive, and snapshots
  // need not leave open whether it does.
  Stamp Announce(model::NodeId to) const;
  // True iff nothing but announcements went to `to` in its epoch: if those were lost, it knows of
  // none.
  bool SilentTo(model::NodeId to) const;
  // Streams, the sending end: a new connection to `to`, or a break of it: what is in flight is
  // lost.
  void OnOutgoingBroken(model::NodeId to);
  // Streams, the receiving end: the connection on which `from` sent messages of `epoch` broke, or
  // was reset by us. Nothing more is taken from it: what arrives next must be of a new epoch.
  void OnIncomingBroken(model::NodeId from, uint64_t epoch);

  // Streams, optional: what was received from `from`, to be sent back now and then, so that its
  // sender can forget messages. Nothing if nothing was received.
  std::optional<Stamp> Acknowledgement(model::NodeId from) const;
  // Takes a forced checkpoint first, like OnReceive.
  void OnAcknowledged(model::NodeId by, const Stamp& acknowledgement);

  // The checkpoint at which this node's number rose from below `number` to `number` or more; taken
  // now if it is still below. NotFound if that one was pruned or belongs to an earlier life, and
  // InvalidArgument if it is more than kJumpMax ahead; messages name both numbers.
  absl::StatusOr<std::shared_ptr<const Checkpoint>> Request(uint64_t number);

  uint64_t number() const { return number_; }
  // For `capture`: memory of a state whose checkpoint is gone, to encode into. Often empty.
  std::string TakeSpare() { return spare_->Take(); }

 private:
  struct Sending {
    uint64_t epoch = 0;
    uint64_t last = 0;
    SentRing recent;
  };
  struct Receiving {
    uint64_t epoch = 0;
    uint64_t high = 0;
    uint64_t mask = 0;  // Bit i: high - i was received.
    bool closed = false;
  };
  bool streams() const { return options_.network == model::NetworkKind::kStreams; }
  Sending& SendingTo(model::NodeId to);
  uint64_t EpochTo(model::NodeId to) const;
  Receipt Receive(model::NodeId from, const Stamp& stamp, Receiving* channel);
  // `channel` is what is known of the sender, null if nothing is.
  Receipt Judge(model::NodeId from, const Stamp& stamp, const Receiving* channel) const;
  Receipt JudgeSeq(const Receiving& channel, uint64_t seq) const;
  bool CanReach(uint64_t number) const;
  void Force(uint64_t number);
  void Take(uint64_t number);
  void Prune();

  Options options_;
  std::function<model::NodeState()> capture_;
  uint64_t number_ = 0;
  uint64_t floor_ = 0;  // Requests for this number or less cannot be answered.
  ByNode<Sending> sending_;
  ByNode<Receiving> receiving_;
  std::deque<std::shared_ptr<const Checkpoint>> kept_;  // By rising number.
  size_t kept_bytes_ = 0;
  // Shared with every checkpoint that was handed out: who drops it last gives its memory back.
  std::shared_ptr<SpareBuffer> spare_ = std::make_shared<SpareBuffer>();
};

}  // namespace foretell::snapshot
