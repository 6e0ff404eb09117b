#include "foretell/snapshot/protocol/cut_assembly.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/snapshot/protocol/validate.h"

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

  // What is not known of what can arrive, one sentence each; empty if all is known.
  std::vector<std::string> Gaps() const {
    std::vector<std::string> gaps;
    if (OlderEpochsOpen()) {
      gaps.push_back(absl::StrCat(name(), ": the receiver has heard of epoch ", in().epoch,
                                  ", the sender is in ", out().epoch,
                                  "; what older epochs left in flight is not known"));
    }
    if (Closed()) return gaps;
    const uint64_t first = FirstAcceptable();
    const uint64_t known = out().last - out().recent.size() + 1;
    if (first < known && first <= out().last) {
      gaps.push_back(absl::StrCat(name(), ": messages from ", first,
                                  " on can arrive, the sender remembers those from ", known,
                                  " on"));
    }
    const auto doubtful =
        std::count_if(out().recent.begin(), out().recent.end(), [this](const SentMessage& message) {
          return Acceptable(message.seq) && MayBeOfEarlierLife(message);
        });
    if (doubtful > 0) {
      gaps.push_back(absl::StrCat(name(), ": the receiver may have received ", doubtful,
                                  " messages before it restarted"));
    }
    return gaps;
  }

  // REQUIRES: the channel is no stream, has no gaps, or nobody notices.
  void AddTo(Snapshot& snapshot) const {
    for (const std::string& gap : Gaps()) {
      snapshot.exact = false;
      snapshot.notes.push_back(gap + ".");
    }
    if (Closed()) return;
    for (const SentMessage& message : out().recent) {
      if (!Acceptable(message.seq) || MayBeOfEarlierLife(message)) continue;
      snapshot.cut.in_flight.push_back({sender_.node, receiver_.node, message.body});
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
  // A stream on which this life has received something is new.
  bool MayBeOfEarlierLife(const SentMessage& message) const {
    if (self() || (streams_ && same_epoch())) return false;
    return receiver_.MayHaveForgotten(message);
  }

  const Checkpoint& sender_;
  const Checkpoint& receiver_;
  const bool streams_;
  Outbox nothing_sent_;
  Inbox nothing_heard_;
  const Outbox* outbox_ = nullptr;
  const Inbox* inbox_ = nullptr;
};

absl::Status CheckAll(const model::Service& service, uint64_t number, Checkpoints checkpoints) {
  for (uint32_t n = 0; n < checkpoints.size(); ++n) {
    if (checkpoints[n] == nullptr) continue;
    absl::Status status = ValidateCheckpoint(*checkpoints[n], model::NodeId(n), number, service);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Calls `see(channel, sender, receiver)` for each pair of nodes that are there.
template <class See>
absl::Status ForEachChannel(Checkpoints checkpoints, bool streams, See see) {
  for (size_t from = 0; from < checkpoints.size(); ++from) {
    for (size_t to = 0; to < checkpoints.size(); ++to) {
      if (checkpoints[from] == nullptr || checkpoints[to] == nullptr) continue;
      const Channel channel(*checkpoints[from], *checkpoints[to], streams);
      absl::Status status = see(channel, from, to);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

// A datagram that is left out is one that got lost, which can happen. A stream with a hole in it
// cannot: whatever the checker would deliver behind the hole arrives only after the break that made
// it, unless nobody notices breaks. So one end of each such stream is left out of the cut, which is
// to say that it is slow. Who has most of them is most likely the one that was restarted.
void LeaveOutGaps(std::vector<std::shared_ptr<const Checkpoint>>& checkpoints,
                  std::vector<std::string>& reasons) {
  while (true) {
    std::vector<size_t> counts(checkpoints.size(), 0);
    std::vector<std::string> texts(checkpoints.size());
    const auto count = [&](const Channel& channel, size_t from, size_t to) {
      const std::vector<std::string> gaps = channel.Gaps();
      if (gaps.empty()) return absl::OkStatus();
      ++counts[to];
      texts[to] = gaps[0];
      if (from != to) ++counts[from], texts[from] = gaps[0];
      return absl::OkStatus();
    };
    (void)ForEachChannel(checkpoints, true, count);
    const auto most = std::max_element(counts.begin(), counts.end());
    if (most == counts.end() || *most == 0) return;
    const auto worst = static_cast<size_t>(most - counts.begin());
    checkpoints[worst] = nullptr;
    reasons[worst] = texts[worst];
  }
}

// Fills in the nodes.
absl::Status AddNodes(Checkpoints checkpoints, std::span<const std::string> reasons,
                      Snapshot& snapshot) {
  for (uint32_t n = 0; n < checkpoints.size(); ++n) {
    if (checkpoints[n] != nullptr) {
      snapshot.cut.nodes.push_back(checkpoints[n]->state);
      continue;
    }
    snapshot.cut.nodes.push_back({.status = model::NodeStatus::kAbsent});
    const std::string why = reasons[n].empty() ? "no answer" : reasons[n];
    snapshot.absent.push_back({model::NodeId(n), why});
    snapshot.exact = false;
    snapshot.notes.push_back(
        absl::StrCat("node ", n, " is absent: ", why, why.ends_with('.') ? "" : "."));
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
  const bool streams = service.network().kind == model::NetworkKind::kStreams;
  absl::Status status = CheckAll(service, number, checkpoints);
  if (!status.ok()) return status;
  status = ForEachChannel(checkpoints, streams, [](const Channel& channel, size_t, size_t) {
    return channel.CheckOrphans();
  });
  if (!status.ok()) return status;
  std::vector<std::shared_ptr<const Checkpoint>> used(checkpoints.begin(), checkpoints.end());
  std::vector<std::string> why(reasons.begin(), reasons.end());
  why.resize(used.size());
  if (streams && service.notices_breaks()) LeaveOutGaps(used, why);
  Snapshot snapshot{.number = number};
  if (status = AddNodes(used, why, snapshot); !status.ok()) return status;
  status = ForEachChannel(used, streams, [&snapshot](const Channel& channel, size_t, size_t) {
    channel.AddTo(snapshot);
    return absl::OkStatus();
  });
  if (status.ok()) status = model::ValidateCut(service, snapshot.cut);
  if (!status.ok()) return status;
  return snapshot;
}

}  // namespace foretell::snapshot
