#include "snapshot/cut_assembly.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/plain_system.h"
#include "snapshot/validate.h"

namespace foretell::snapshot {
namespace {

using Checkpoints = std::span<const std::shared_ptr<const Checkpoint>>;

// One channel, seen from both ends.
class Channel {
 public:
  Channel(const Checkpoint& sender, const Checkpoint& receiver, bool streams)
      : sender_(sender), receiver_(receiver), streams_(streams), nothing_sent_{}, nothing_heard_{} {
    nothing_sent_.epoch = FirstEpoch(sender.life);
    for (const Outbox& outbox : sender.sent) {
      if (outbox.to == receiver.node) outbox_ = &outbox;
    }
    for (const Inbox& inbox : receiver.received) {
      if (inbox.from == sender.node) inbox_ = &inbox;
    }
  }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // A cut with a message that was received and not sent is none.
  absl::Status CheckOrphans() const {
    if (in().epoch < out().epoch || (same_epoch() && in().high <= out().last)) {
      return absl::OkStatus();
    }
    return absl::FailedPreconditionError(absl::StrCat(name(), ": received ", in().high,
                                                      " of epoch ", in().epoch, ", sent ",
                                                      out().last, " of epoch ", out().epoch));
  }

  void AddTo(Snapshot& snapshot) const {
    if (OlderEpochsOpen()) {
      Miss(snapshot,
           absl::StrCat("the receiver has heard of epoch ", in().epoch, ", the sender is in ",
                        out().epoch, "; what older epochs left in flight is not known"));
    }
    if (Closed()) return;
    const uint64_t first = FirstAcceptable();
    const uint64_t known = out().last - out().recent.size() + 1;
    if (first < known && first <= out().last) {
      Miss(snapshot, absl::StrCat("messages from ", first,
                                  " on can arrive, the sender remembers "
                                  "those from ",
                                  known, " on"));
      // What is first in, first out cannot begin in the middle.
      if (streams_) return;
    }
    uint64_t doubtful = 0;
    for (const SentMessage& message : out().recent) {
      if (!Acceptable(message.seq)) continue;
      if (MayBeOfEarlierLife(message)) {
        ++doubtful;
      } else if (!streams_ || doubtful == 0) {
        snapshot.cut.in_flight.push_back({sender_.node, receiver_.node, message.body});
      }
    }
    if (doubtful > 0) {
      Miss(snapshot, absl::StrCat("the receiver may have received ", doubtful,
                                  " messages before it restarted"));
    }
  }

 private:
  const Outbox& out() const { return outbox_ != nullptr ? *outbox_ : nothing_sent_; }
  const Inbox& in() const { return inbox_ != nullptr ? *inbox_ : nothing_heard_; }
  bool same_epoch() const { return in().epoch == out().epoch; }
  bool self() const { return sender_.node == receiver_.node; }
  std::string name() const {
    return absl::StrCat("channel ", sender_.node.value(), " -> ", receiver_.node.value());
  }
  bool Closed() const { return same_epoch() && in().closed; }

  // Whether messages of an epoch before the sender's present one can still be taken.
  bool OlderEpochsOpen() const {
    if (same_epoch() || self()) return false;
    if (in().epoch == 0) return out().epoch != FirstEpoch(1);
    return !(in().closed && in().epoch + 1 == out().epoch);
  }
  bool Acceptable(uint64_t seq) const {
    return !same_epoch() || seq > in().high ||
           std::binary_search(in().missing.begin(), in().missing.end(), seq);
  }
  uint64_t FirstAcceptable() const {
    if (!same_epoch()) return 1;
    return in().missing.empty() ? in().high + 1 : in().missing.front();
  }
  // A receiver forgets at a restart what it has received. It cannot have been a message with a
  // number that no earlier life had. A stream on which this life has received something is new.
  bool MayBeOfEarlierLife(const SentMessage& message) const {
    if (receiver_.life == 1 || self() || (streams_ && same_epoch())) return false;
    return message.checkpoint <= receiver_.floor;
  }
  void Miss(Snapshot& snapshot, const std::string& text) const {
    snapshot.exact = false;
    snapshot.notes.push_back(absl::StrCat(name(), ": ", text, "."));
  }

  const Checkpoint& sender_;
  const Checkpoint& receiver_;
  const bool streams_;
  Outbox nothing_sent_;
  Inbox nothing_heard_;
  const Outbox* outbox_ = nullptr;
  const Inbox* inbox_ = nullptr;
};

// Fills in the nodes.
absl::Status AddNodes(const model::Service& service, Checkpoints checkpoints,
                      std::span<const std::string> reasons, Snapshot& snapshot) {
  for (uint32_t n = 0; n < checkpoints.size(); ++n) {
    if (checkpoints[n] != nullptr) {
      absl::Status status =
          ValidateCheckpoint(*checkpoints[n], model::NodeId(n), snapshot.number, service);
      if (!status.ok()) return status;
      snapshot.cut.nodes.push_back(checkpoints[n]->state);
      continue;
    }
    snapshot.cut.nodes.push_back({.status = model::NodeStatus::kAbsent});
    snapshot.absent.push_back(model::NodeId(n));
    snapshot.exact = false;
    const bool known = n < reasons.size() && !reasons[n].empty();
    snapshot.notes.push_back(absl::StrCat(
        "node ", n, " is absent: ", known ? reasons[n] : std::string("no answer"), "."));
  }
  if (snapshot.absent.size() < checkpoints.size()) return absl::OkStatus();
  std::string text = absl::StrCat("no node answered for checkpoint ", snapshot.number);
  for (const std::string& note : snapshot.notes) absl::StrAppend(&text, "; ", note);
  return absl::UnavailableError(text);
}

}  // namespace

absl::StatusOr<Snapshot> Assemble(const model::Service& service, uint64_t number,
                                  Checkpoints checkpoints, std::span<const std::string> reasons) {
  if (checkpoints.size() != service.node_count()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "checkpoints of ", checkpoints.size(), " nodes, the service has ", service.node_count()));
  }
  Snapshot snapshot{.number = number};
  absl::Status status = AddNodes(service, checkpoints, reasons, snapshot);
  if (!status.ok()) return status;
  const bool streams = service.network().kind == model::NetworkKind::kStreams;
  for (const auto& sender : checkpoints) {
    for (const auto& receiver : checkpoints) {
      if (sender == nullptr || receiver == nullptr) continue;
      const Channel channel(*sender, *receiver, streams);
      if (status = channel.CheckOrphans(); !status.ok()) return status;
      channel.AddTo(snapshot);
    }
  }
  if (status = model::ValidateCut(service, snapshot.cut); !status.ok()) return status;
  return snapshot;
}

}  // namespace foretell::snapshot
