#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/engine/arena.h"
#include "foretell/model/engine/interner.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/search/minimise/live_messages.h"

namespace foretell::search {

// The messages in flight to a node; dense per node. 0 is the empty mailbox.
using MailboxId = model::Id<struct MailboxTag>;

// How many equal datagrams can be in flight to a node. Streams do not care.
struct Copies {
  uint32_t max = UINT32_MAX;  // What is sent beyond that is lost.
};

// The network by id: the messages in flight to each node are interned, and so is what adding and
// removing does to them. Datagrams are a multiset; streams keep order per sender.
class Mailboxes {
 public:
  explicit Mailboxes(const model::TransitionTable& table, Copies copies = {});

  // Messages that can arrive next, each once, in a fixed order.
  std::span<const model::MessageId> Deliverable(model::NodeId node, MailboxId mailbox) const {
    return nodes_[node.index()].deliverable[mailbox.index()];
  }
  // REQUIRES: `message` is deliverable.
  MailboxId Remove(model::NodeId node, MailboxId mailbox, model::MessageId message);
  MailboxId Add(model::NodeId node, MailboxId mailbox, uint32_t list);
  // Without what is inert, as `live` has it for the set with that number.
  MailboxId Keep(model::NodeId node, MailboxId mailbox, const LiveMessages& live, uint32_t set);
  // The stream from `peer` breaks.
  MailboxId Break(model::NodeId node, MailboxId mailbox, model::NodeId peer);
  // The node restarts: streams begin empty, datagrams do not care.
  MailboxId Restart(MailboxId mailbox) const { return streams_ ? MailboxId(0) : mailbox; }

  // As found in a cut: not multiplied by what the network may duplicate.
  MailboxId Intern(model::NodeId node, std::vector<model::MessageId> messages);
  // Everything in flight; on streams in order of sending per sender.
  std::span<const model::MessageId> Content(model::NodeId node, MailboxId mailbox) const;

  // True iff Copies::max has kept a message from being sent since this was asked last.
  bool TakeCapped() { return std::exchange(capped_, false); }
  uint64_t bytes() const;

 private:
  struct Added {
    MailboxId mailbox;
    bool capped = false;
  };
  struct Node {
    model::SequenceInterner contents;
    std::vector<std::span<const model::MessageId>> deliverable;  // By mailbox.
    absl::flat_hash_map<uint64_t, MailboxId> removed;            // By mailbox and message.
    absl::flat_hash_map<uint64_t, Added> added;                  // By mailbox and list.
    absl::flat_hash_map<uint64_t, MailboxId> kept;               // By mailbox and set.
  };

  const model::TransitionTable& table_;
  const bool streams_;
  const uint32_t per_send_;
  const Copies copies_;
  bool capped_ = false;
  std::vector<Node> nodes_;
  model::Arena<model::MessageId> arena_;
};

}  // namespace foretell::search
