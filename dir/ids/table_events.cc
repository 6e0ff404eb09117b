#include "foretell/dir/ids/table_events.h"

#include <string>

#include "foretell/search/conflicts.h"

namespace foretell::dir {

using model::EventId;
using model::EventKind;
using model::NodeId;
using model::StateId;

namespace {

void AppendNumber(std::string& bytes, uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

}  // namespace

TableEvents::TableEvents(model::TransitionTable& table, EventNumbers& event_numbers)
    : table_(table), event_numbers_(event_numbers) {}

uint32_t TableEvents::Number(NodeId node, EventId event) {
  const auto [found, fresh] = numbers_.try_emplace(model::PairKey(node.value(), event.value()), 0);
  if (fresh) {
    found->second = event_numbers_.Number({node, table_.EventOf(event)});
    EntryOf(found->second).event = event;
  }
  return found->second;
}

TableEvents::Entry& TableEvents::EntryOf(uint32_t number) {
  if (entries_.size() <= number) entries_.resize(number + 1);
  if (!entries_[number]) entries_[number] = Entry{event_numbers_.At(number).node, std::nullopt};
  return *entries_[number];
}

NodeId TableEvents::NodeOf(uint32_t number) { return EntryOf(number).node; }

std::optional<EventId> TableEvents::Find(uint32_t number, StateId state) {
  const NodeId node = NodeOf(number);
  if (!EntryOf(number).event) {
    const model::Event event = event_numbers_.At(number).event;
    if (event.kind == EventKind::kDeliver) {
      EntryOf(number).event =
          EventId::Deliver(table_.InternMessage({event.peer, node, event.body}));
    }
    // Actions have no ids before a state has them.
    for (const EventId local : table_.LocalEvents(node, state)) {
      if (table_.EventOf(local) == event) EntryOf(number).event = local;
    }
  }
  const std::optional<EventId> event = EntryOf(number).event;
  if (event && !search::IsPossible(table_, node, state, *event)) return std::nullopt;
  return event;
}

const Signature& TableEvents::MessageSignature(model::MessageId message) {
  if (messages_.size() <= message.index()) messages_.resize(message.index() + 1);
  std::optional<Signature>& signature = messages_[message.index()];
  if (!signature) {
    std::string bytes;
    AppendNumber(bytes, table_.sender(message).value());
    AppendNumber(bytes, table_.receiver(message).value());
    signature = SignatureOf(bytes + table_.EventOf(EventId::Deliver(message)).body);
  }
  return *signature;
}

}  // namespace foretell::dir
