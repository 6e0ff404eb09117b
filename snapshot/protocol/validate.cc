#include "foretell/snapshot/protocol/validate.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"

namespace foretell::snapshot {
namespace {

absl::Status Bad(const std::string& text) { return absl::InvalidArgumentError(text); }

// One side's list of channels names existing nodes, each once, rising.
absl::Status ValidatePeer(size_t index, model::NodeId previous, model::NodeId peer,
                          uint32_t node_count, const std::string& what) {
  if (peer.value() >= node_count) {
    return Bad(absl::StrCat(what, " names node ", peer.value(), ", the last is ", node_count - 1));
  }
  if (index > 0 && peer <= previous) {
    return Bad(absl::StrCat(what, " has node ", peer.value(), " after node ", previous.value()));
  }
  return absl::OkStatus();
}

absl::Status ValidateOutbox(const Outbox& outbox, const Checkpoint& checkpoint, bool streams) {
  const std::string what = absl::StrCat("channel ", checkpoint.node.value(), " -> ",
                                        outbox.to.value(), " at its sender: ");
  if (LifeOf(outbox.epoch) != checkpoint.life) {
    return Bad(absl::StrCat(what, "epoch ", outbox.epoch, " is of life ", LifeOf(outbox.epoch),
                            ", the node is in life ", checkpoint.life));
  }
  const size_t count_max = streams ? kStreamKept : kDatagramsKept;
  if (outbox.recent.size() > std::min<uint64_t>(count_max, outbox.last)) {
    return Bad(absl::StrCat(what, "remembers ", outbox.recent.size(), " messages of ", outbox.last,
                            ", limit ", count_max));
  }
  uint64_t seq = outbox.last - outbox.recent.size();
  uint64_t number = 0;
  for (const SentMessage& message : outbox.recent) {
    if (message.seq != ++seq) {
      return Bad(absl::StrCat(what, "message ", message.seq, " where ", seq, " is due"));
    }
    if (message.checkpoint < number || message.checkpoint >= checkpoint.number) {
      return Bad(absl::StrCat(what, "message ", seq, " sent at ", message.checkpoint,
                              ", not within ", number, " and ", checkpoint.number));
    }
    number = message.checkpoint;
  }
  return absl::OkStatus();
}

absl::Status ValidateInbox(const Inbox& inbox, const Checkpoint& checkpoint, bool streams) {
  const std::string what = absl::StrCat("channel ", inbox.from.value(), " -> ",
                                        checkpoint.node.value(), " at its receiver: ");
  if (LifeOf(inbox.epoch) == 0) {
    return Bad(absl::StrCat(what, "epoch ", inbox.epoch, ", the first is ", FirstEpoch(1)));
  }
  if (streams ? !inbox.missing.empty() : inbox.closed) {
    return Bad(absl::StrCat(what, inbox.missing.size(), " messages missing, ",
                            inbox.closed ? "closed" : "open", ": not of this kind of network"));
  }
  if (inbox.missing.size() >= kWindow) {
    return Bad(absl::StrCat(what, inbox.missing.size(), " messages missing, limit ", kWindow - 1));
  }
  uint64_t previous = inbox.high < kWindow ? 0 : inbox.high - kWindow;
  for (const uint64_t seq : inbox.missing) {
    if (seq <= previous || seq >= inbox.high) {
      return Bad(
          absl::StrCat(what, "missing ", seq, ", not between ", previous, " and ", inbox.high));
    }
    previous = seq;
  }
  return absl::OkStatus();
}

absl::Status ValidateHead(const Checkpoint& checkpoint, model::NodeId node, uint64_t number) {
  if (checkpoint.node != node) {
    return Bad(absl::StrCat("node ", node.value(), " answered as node ", checkpoint.node.value()));
  }
  absl::Status status;
  checkpoint.Rules(number, [&](bool holds, const auto&... words) {
    if (status.ok() && !holds) status = Bad(absl::StrCat("node ", node.value(), ": ", words...));
  });
  return status;
}

}  // namespace

absl::Status ValidateCheckpoint(const Checkpoint& checkpoint, model::NodeId node, uint64_t number,
                                const model::Service& service) {
  if (absl::Status status = ValidateHead(checkpoint, node, number); !status.ok()) return status;
  const bool streams = service.network().kind == model::NetworkKind::kStreams;
  const std::string what = absl::StrCat("node ", node.value(), ": ");
  for (size_t i = 0; i < checkpoint.sent.size(); ++i) {
    const Outbox& outbox = checkpoint.sent[i];
    absl::Status status = ValidatePeer(i, i > 0 ? checkpoint.sent[i - 1].to : node, outbox.to,
                                       service.node_count(), what + "list of receivers");
    if (status.ok()) status = ValidateOutbox(outbox, checkpoint, streams);
    if (!status.ok()) return status;
  }
  for (size_t i = 0; i < checkpoint.received.size(); ++i) {
    const Inbox& inbox = checkpoint.received[i];
    absl::Status status = ValidatePeer(i, i > 0 ? checkpoint.received[i - 1].from : node,
                                       inbox.from, service.node_count(), what + "list of senders");
    if (status.ok()) status = ValidateInbox(inbox, checkpoint, streams);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace foretell::snapshot
