#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "model/service.h"
#include "snapshot/checkpoint.h"

namespace foretell::snapshot {

// What the receiver of a message is to do with it.
enum class Receipt : uint8_t {
  kTake,
  kDuplicate,  // Was received before.
  kStale,      // Of an earlier epoch, or further behind than kWindow: lost, as far as anyone knows.
  kGap,        // Streams: something before it is missing. The connection is to be reset.
};

// The node's half of the snapshot protocol (CrystalBall, with channel state added). Pure: no clock,
// no I/O, no thread; a host calls it around every send and receive. One thread at a time.
class Checkpointer {
 public:
  struct Options {
    model::NodeId node{0};
    model::NetworkKind network = model::NetworkKind::kDatagrams;
    uint64_t epoch = 1;           // Higher than in any earlier life of this node.
    uint64_t number = 0;          // At least the highest number of any earlier life.
    size_t bytes_max = 64 << 20;  // Quota for kept checkpoints; the newest is always kept.
    size_t count_max = 16;
  };
  // `capture` encodes the node's state as it is now.
  Checkpointer(Options options, std::function<model::NodeState()> capture);

  // To be put on a message that is being sent.
  Stamp OnSend(model::NodeId to, const std::string& body);
  // Before a message is handled: takes a forced checkpoint first if the stamp's number is higher
  // than ours. Call only for messages that will be handled, or dropped for good by a filter, if
  // kTake is returned.
  Receipt OnReceive(model::NodeId from, const Stamp& stamp);
  // Streams: a new connection to `to`, or a break of it: what is in flight is lost.
  void OnReset(model::NodeId to);

  // The earliest kept checkpoint with a number of at least `number`, taken now if there is none.
  // NotFound if the earliest one was pruned or belongs to an earlier life; the message names both
  // numbers.
  absl::StatusOr<std::shared_ptr<const Checkpoint>> Request(uint64_t number);

  uint64_t number() const { return number_; }

 private:
  struct Sending {
    uint64_t epoch = 0;
    uint64_t last = 0;
    std::deque<SentMessage> recent;
  };
  struct Receiving {
    uint64_t epoch = 0;
    uint64_t high = 0;
    uint64_t mask = 0;  // Bit i: high - i was received.
  };
  void Take(uint64_t number);
  void Prune();

  Options options_;
  std::function<model::NodeState()> capture_;
  uint64_t number_ = 0;
  uint64_t floor_ = 0;  // Requests for this number or less cannot be answered.
  std::map<model::NodeId, Sending> sending_;
  std::map<model::NodeId, Receiving> receiving_;
  std::deque<std::shared_ptr<const Checkpoint>> kept_;  // By rising number.
  size_t kept_bytes_ = 0;
};

}  // namespace foretell::snapshot
