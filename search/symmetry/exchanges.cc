#include "foretell/search/symmetry/exchanges.h"

#include <algorithm>
#include <utility>

namespace foretell::search {

using model::EventId;
using model::MessageId;
using model::NodeId;
using model::StateId;

namespace {

void Remember(std::vector<uint32_t>& known, size_t from, uint32_t to) {
  if (known.size() <= from) known.resize(from + 1 + from / 2, 0);
  known[from] = to + 1;
}

}  // namespace

Exchanges::Exchanges(GlobalSpace& space, const NodeClasses& classes)
    : space_(space),
      table_(space.table()),
      node_count_(table_.node_count()),
      streams_(table_.service().network().kind == model::NetworkKind::kStreams) {
  for (const std::vector<NodeId>& nodes : classes) {
    for (size_t i = 1; i < nodes.size(); ++i) exchanges_.push_back({nodes[i - 1], nodes[i]});
  }
  text_free_.resize(node_count_);
  states_.resize(count() * node_count_);
  mailboxes_.resize(count() * node_count_);
  messages_.resize(count());
}

StateId Exchanges::FindTextFree(NodeId node, StateId state) {
  StateId first = state;
  if (table_.status(node, state) == model::NodeStatus::kFailed) {
    // The first of them: whatever becomes known later, it stays that.
    const model::FaultCounts faults = table_.StateOf(node, state).faults;
    for (first = StateId(0); first != state; first = StateId(first.value() + 1)) {
      if (table_.status(node, first) != model::NodeStatus::kFailed) continue;
      if (table_.StateOf(node, first).faults == faults) break;
    }
  }
  Remember(text_free_[node.index()], state.index(), first.value());
  return first;
}

StateId Exchanges::FindState(size_t exchange, NodeId node, StateId state) {
  const model::Exchange nodes = exchanges_[exchange];
  const StateId image = TextFree(
      nodes(node),
      table_.InternState(nodes(node),
                         model::Exchanged(table_.service(), table_.StateOf(node, state), nodes)));
  Remember(states_[exchange * node_count_ + node.index()], state.index(), image.value());
  return image;
}

MailboxId Exchanges::FindMailbox(size_t exchange, NodeId node, MailboxId mailbox) {
  const model::Exchange nodes = exchanges_[exchange];
  std::vector<MessageId> messages;
  for (const MessageId message : space_.mailboxes().Content(node, mailbox)) {
    messages.push_back(Message(exchange, message));
  }
  const MailboxId image = space_.InternMailbox(nodes(node), std::move(messages));
  Remember(mailboxes_[exchange * node_count_ + node.index()], mailbox.index(), image.value());
  Remember(mailboxes_[exchange * node_count_ + nodes(node).index()], image.index(),
           mailbox.value());
  return image;
}

MessageId Exchanges::Message(size_t exchange, MessageId message) {
  std::vector<uint32_t>& known = messages_[exchange];
  if (message.index() < known.size() && known[message.index()] != 0) {
    return MessageId(known[message.index()] - 1);
  }
  const model::Message full{table_.sender(message), table_.receiver(message),
                            table_.EventOf(EventId::Deliver(message)).body};
  const MessageId image =
      table_.InternMessage(model::Exchanged(table_.service(), full, exchanges_[exchange]));
  Remember(known, message.index(), image.value());
  Remember(known, image.index(), message.value());
  return image;
}

EventId Exchanges::Event(size_t exchange, NodeId node, EventId event) {
  if (event.is_deliver()) return EventId::Deliver(Message(exchange, event.message()));
  const model::Exchange nodes = exchanges_[exchange];
  return table_.InternEvent(nodes(node),
                            model::Exchanged(table_.service(), table_.EventOf(event), nodes));
}

void Exchanges::Sort(std::vector<MessageId>& messages) const {
  std::stable_sort(messages.begin(), messages.end(), [this](MessageId a, MessageId b) {
    if (table_.receiver(a) != table_.receiver(b)) return table_.receiver(a) < table_.receiver(b);
    return !streams_ && a < b;
  });
}

std::vector<MessageId> Exchanges::Sends(model::SendsId sends) const {
  std::vector<MessageId> messages;
  for (const model::Batch& batch : table_.Batches(sends)) {
    const auto list = table_.Messages(batch.list);
    messages.insert(messages.end(), list.begin(), list.end());
  }
  Sort(messages);
  return messages;
}

std::vector<MessageId> Exchanges::Sends(size_t exchange, model::SendsId sends) {
  std::vector<MessageId> messages = Sends(sends);
  for (MessageId& message : messages) message = Message(exchange, message);
  Sort(messages);
  return messages;
}

void Exchanges::Apply(size_t exchange, GlobalState& state) {
  for (uint32_t n = 0; n < node_count_; ++n) {
    const NodeId node(n);
    const StateId own = State(exchange, node, state.state(node));
    const MailboxId mailbox = Mailbox(exchange, node, state.mailbox(node));
    state.set_state(node, own);
    state.set_mailbox(node, mailbox);
  }
  const auto [a, b] = exchanges_[exchange];
  const std::pair at_a{state.state(a), state.mailbox(a)};
  state.set_state(a, state.state(b));
  state.set_mailbox(a, state.mailbox(b));
  state.set_state(b, at_a.first);
  state.set_mailbox(b, at_a.second);
}

uint64_t Exchanges::bytes() const {
  uint64_t total = 0;
  for (const auto* known : {&text_free_, &states_, &mailboxes_, &messages_}) {
    for (const std::vector<uint32_t>& ids : *known) total += ids.capacity() * sizeof(uint32_t);
  }
  return total;
}

}  // namespace foretell::search
