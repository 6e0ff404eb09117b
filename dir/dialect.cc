#include "dir/dialect.h"

#include <string>

#include "search/conflicts.h"

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

Dialect::Dialect(model::TransitionTable& table, Lexicon& lexicon)
    : table_(table), lexicon_(lexicon) {}

uint32_t Dialect::Number(NodeId node, EventId event) {
  const auto [found, fresh] = numbers_.try_emplace(model::PairKey(node.value(), event.value()), 0);
  if (fresh) {
    found->second = lexicon_.Number({node, table_.EventOf(event)});
    WordOf(found->second).event = event;
  }
  return found->second;
}

Dialect::Word& Dialect::WordOf(uint32_t number) {
  if (words_.size() <= number) words_.resize(number + 1);
  if (!words_[number]) words_[number] = Word{lexicon_.At(number).node, std::nullopt};
  return *words_[number];
}

NodeId Dialect::NodeOf(uint32_t number) { return WordOf(number).node; }

std::optional<EventId> Dialect::Find(uint32_t number, StateId state) {
  const NodeId node = NodeOf(number);
  if (!WordOf(number).event) {
    const model::Event event = lexicon_.At(number).event;
    if (event.kind == EventKind::kDeliver) {
      WordOf(number).event = EventId::Deliver(table_.InternMessage({event.peer, node, event.body}));
    }
    // Actions have no ids before a state has them.
    for (const EventId local : table_.LocalEvents(node, state)) {
      if (table_.EventOf(local) == event) WordOf(number).event = local;
    }
  }
  const std::optional<EventId> event = WordOf(number).event;
  if (event && !search::IsPossible(table_, node, state, *event)) return std::nullopt;
  return event;
}

const Signature& Dialect::Message(model::MessageId message) {
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
