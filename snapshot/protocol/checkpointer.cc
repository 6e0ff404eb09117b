#include "foretell/snapshot/protocol/checkpointer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"

namespace foretell::snapshot {
namespace {

size_t BytesOf(const Checkpoint& checkpoint) {
  size_t bytes = sizeof(Checkpoint) + checkpoint.state.body.capacity();
  for (const Outbox& outbox : checkpoint.sent) {
    bytes += sizeof(Outbox) + outbox.recent.size() * sizeof(SentMessage);
    for (const SentMessage& message : outbox.recent) bytes += message.body.capacity();
  }
  for (const Inbox& inbox : checkpoint.received) {
    bytes += sizeof(Inbox) + inbox.missing.size() * sizeof(uint64_t);
  }
  return bytes;
}

}  // namespace

Checkpointer::Checkpointer(Options options, std::function<model::NodeState()> capture)
    : options_(options),
      capture_(std::move(capture)),
      number_(options.number),
      floor_(options.number) {
  FORETELL_CHECK(capture_ != nullptr);
  FORETELL_CHECK(options.life > 0);
  FORETELL_CHECK(options.life == LifeOf(FirstEpoch(options.life)));
}

Stamp Checkpointer::OnSend(model::NodeId to, const std::string& body) {
  Sending& channel = SendingTo(to);
  ++channel.last;
  channel.recent.Push(channel.last, body, number_);
  const size_t count_max = streams() ? kStreamKept : kDatagramsKept;
  while (channel.recent.size() > count_max || channel.recent.bytes() > kSentBytesMax) {
    channel.recent.PopFront();
  }
  return {number_, channel.epoch, channel.last};
}

Receipt Checkpointer::OnReceive(model::NodeId from, const Stamp& stamp) {
  Receiving* const channel = receiving_.Find(from);
  // The next message of a channel that is in order: nearly all are, and have nothing to be judged.
  if (channel != nullptr && stamp.epoch == channel->epoch && stamp.seq == channel->high + 1 &&
      stamp.checkpoint <= number_ && !channel->closed &&
      (from != options_.node || stamp.epoch == EpochTo(from))) {
    channel->mask = channel->mask << 1 | 1;
    channel->high = stamp.seq;
    return Receipt::kTake;
  }
  return Receive(from, stamp, channel);
}

Receipt Checkpointer::Receive(model::NodeId from, const Stamp& stamp, Receiving* channel) {
  // What is not taken forces nothing: a late duplicate would otherwise cost a checkpoint, and one
  // that no cut needs.
  const Receipt receipt = Judge(from, stamp, channel);
  if (receipt != Receipt::kTake) return receipt;
  Force(stamp.checkpoint);
  if (channel == nullptr || stamp.epoch != channel->epoch) {
    channel = &receiving_.Set(from, {.epoch = stamp.epoch});
  }
  if (stamp.seq == 0) return Receipt::kDuplicate;
  if (stamp.seq > channel->high) {
    const uint64_t ahead = stamp.seq - channel->high;
    channel->mask = (ahead < kWindow ? channel->mask << ahead : 0) | 1;
    channel->high = stamp.seq;
  } else {
    channel->mask |= uint64_t{1} << (channel->high - stamp.seq);
  }
  return Receipt::kTake;
}

Receipt Checkpointer::Judge(model::NodeId from, const Stamp& stamp,
                            const Receiving* channel) const {
  if (LifeOf(stamp.epoch) == 0 || !CanReach(stamp.checkpoint)) return Receipt::kStale;
  // What a node sent to itself does not outlive it.
  if (from == options_.node && stamp.epoch != EpochTo(from)) return Receipt::kStale;
  if (channel == nullptr || channel->epoch < stamp.epoch) {
    return stamp.seq == 0 ? Receipt::kTake : JudgeSeq({}, stamp.seq);
  }
  if (channel->epoch > stamp.epoch || channel->closed) return Receipt::kStale;
  return stamp.seq == 0 ? Receipt::kDuplicate : JudgeSeq(*channel, stamp.seq);
}

Receipt Checkpointer::JudgeSeq(const Receiving& channel, uint64_t seq) const {
  if (seq > channel.high) {
    return streams() && seq - channel.high > 1 ? Receipt::kGap : Receipt::kTake;
  }
  if (streams()) return Receipt::kDuplicate;
  const uint64_t behind = channel.high - seq;
  if (behind >= kWindow) return Receipt::kStale;
  return (channel.mask >> behind & 1) != 0 ? Receipt::kDuplicate : Receipt::kTake;
}

Stamp Checkpointer::Announce(model::NodeId to) const { return {number_, EpochTo(to), 0}; }

bool Checkpointer::SilentTo(model::NodeId to) const {
  const Sending* const channel = sending_.Find(to);
  return channel == nullptr || channel->last == 0;
}

void Checkpointer::OnOutgoingBroken(model::NodeId to) {
  // A life does not last for the 2^32 resets that would lead into the epochs of the next.
  const uint64_t epoch = EpochTo(to) + 1;
  sending_.Set(to, {.epoch = epoch});
}

void Checkpointer::OnIncomingBroken(model::NodeId from, uint64_t epoch) {
  // An old connection can break after its successor was heard of.
  Receiving* const channel = receiving_.Find(from);
  if (channel != nullptr && channel->epoch == epoch) channel->closed = true;
}

std::optional<Stamp> Checkpointer::Acknowledgement(model::NodeId from) const {
  const Receiving* const channel = receiving_.Find(from);
  if (channel == nullptr || channel->high == 0) return std::nullopt;
  return Stamp{number_, channel->epoch, channel->high};
}

void Checkpointer::OnAcknowledged(model::NodeId by, const Stamp& acknowledgement) {
  Sending* const channel = sending_.Find(by);
  if (!streams() || channel == nullptr || !CanReach(acknowledgement.checkpoint)) return;
  if (acknowledgement.epoch != channel->epoch || acknowledgement.seq > channel->last) return;
  // The receiver may have counted the messages after a checkpoint that we have yet to take, in
  // which they are in flight.
  Force(acknowledgement.checkpoint);
  while (!channel->recent.empty() && channel->recent.front().seq <= acknowledgement.seq) {
    channel->recent.PopFront();
  }
}

absl::StatusOr<std::shared_ptr<const Checkpoint>> Checkpointer::Request(uint64_t number) {
  if (!CanReach(number)) {
    return absl::InvalidArgumentError(absl::StrCat("node ", options_.node.value(), ": checkpoint ",
                                                   number, " is too far ahead of ", number_));
  }
  Force(number);
  // What is kept is the end of an unbroken history that begins at the floor.
  if (number <= floor_) {
    return absl::NotFoundError(absl::StrCat("node ", options_.node.value(), ": checkpoint ", number,
                                            " is gone, those after ", floor_, " are kept"));
  }
  return *std::lower_bound(kept_.begin(), kept_.end(), number,
                           [](const std::shared_ptr<const Checkpoint>& kept, uint64_t sought) {
                             return kept->number < sought;
                           });
}

Checkpointer::Sending& Checkpointer::SendingTo(model::NodeId to) {
  if (Sending* const known = sending_.Find(to); known != nullptr) return *known;
  return sending_.Set(to, {.epoch = FirstEpoch(options_.life)});
}

uint64_t Checkpointer::EpochTo(model::NodeId to) const {
  const Sending* const known = sending_.Find(to);
  return known == nullptr ? FirstEpoch(options_.life) : known->epoch;
}

bool Checkpointer::CanReach(uint64_t number) const {
  return number <= number_ || number - number_ <= kJumpMax;
}

void Checkpointer::Force(uint64_t number) {
  if (number > number_) Take(number);
}

void Checkpointer::Take(uint64_t number) {
  const std::shared_ptr<Checkpoint> checkpoint(new Checkpoint, [spare = spare_](Checkpoint* gone) {
    spare->Give(std::move(gone->state.body));
    delete gone;
  });
  checkpoint->node = options_.node;
  checkpoint->number = number;
  checkpoint->life = options_.life;
  checkpoint->floor = options_.number;
  checkpoint->state = capture_();
  checkpoint->sent.reserve(sending_.size_max());
  sending_.ForEach([&](model::NodeId to, const Sending& channel) {
    checkpoint->sent.push_back({to, channel.epoch, channel.last, channel.recent.Copy()});
  });
  checkpoint->received.reserve(receiving_.size_max());
  receiving_.ForEach([&](model::NodeId from, const Receiving& channel) {
    Inbox inbox{from, channel.epoch, channel.high, {}, channel.closed};
    for (uint64_t behind = kWindow - 1; behind > 0 && !streams(); --behind) {
      if (behind >= channel.high || (channel.mask >> behind & 1) != 0) continue;
      inbox.missing.push_back(channel.high - behind);
    }
    checkpoint->received.push_back(std::move(inbox));
  });
  number_ = number;
  kept_bytes_ += BytesOf(*checkpoint);
  kept_.push_back(checkpoint);
  Prune();
}

void Checkpointer::Prune() {
  while (kept_.size() > 1 &&
         (kept_.size() > options_.count_max || kept_bytes_ > options_.bytes_max)) {
    kept_bytes_ -= BytesOf(*kept_.front());
    floor_ = kept_.front()->number;
    kept_.pop_front();
  }
}

}  // namespace foretell::snapshot
