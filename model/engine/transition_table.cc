#include "foretell/model/engine/transition_table.h"

#include <algorithm>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::model {
namespace {

constexpr size_t kHeaderSize = 1 + kFaultKinds;  // Status and faults, before the service's bytes.

std::span<const uint32_t> AsNumbers(std::span<const MessageId> ids) {
  static_assert(sizeof(MessageId) == sizeof(uint32_t));
  return {reinterpret_cast<const uint32_t*>(ids.data()), ids.size()};
}

}  // namespace

TransitionTable::TransitionTable(const Service& service)
    : service_(service),
      streams_(service.network().kind == NetworkKind::kStreams),
      auxiliary_(service.has_auxiliary()),
      claimed_(service.claimed_auxiliary()),
      nodes_(service.node_count()) {
  choices_.Intern(std::vector<uint32_t>{1});  // No choices, with weight 1, are number 0.
  InternMessages({});
}

StateId TransitionTable::InternState(NodeId node, const NodeState& state) {
  neighbourhood_ = neighbourhood_ || state.status == NodeStatus::kAbsent;
  std::string bytes;
  bytes.reserve(kHeaderSize + state.body.size());
  bytes.push_back(static_cast<char>(state.status));
  for (const uint8_t count : state.faults) bytes.push_back(static_cast<char>(count));
  if (!auxiliary_) {
    bytes.append(state.body);
    return StateId(nodes_[node.index()].states.Intern(bytes));
  }
  bytes.append(IsSilent(state) ? state.body : service_.Relevant(state.body));
  const StateId id(nodes_[node.index()].states.Intern(bytes));
  KeepFull(node, id, state.body);
  return id;
}

MessageId TransitionTable::InternMessage(const Message& message) {
  const uint32_t ends[] = {message.from.value(), message.to.value()};
  std::string bytes(reinterpret_cast<const char*>(ends), sizeof(ends));
  bytes.append(message.body);
  const MessageId id(messages_.Intern(bytes));
  if (id.index() == ends_.size()) {
    ends_.push_back({message.from, message.to});
    nodes_[message.to.index()].messages.push_back(id);
  }
  return id;
}

NodeStatus TransitionTable::status(NodeId node, StateId state) const {
  return static_cast<NodeStatus>(nodes_[node.index()].states.at(state.value())[0]);
}

NodeState TransitionTable::StateOf(NodeId node, StateId state) const {
  const std::string_view bytes = nodes_[node.index()].states.at(state.value());
  NodeState full{static_cast<NodeStatus>(bytes[0]),
                 {},
                 auxiliary_ ? nodes_[node.index()].full[state.index()]
                            : std::string(bytes.substr(kHeaderSize))};
  for (const FaultKindInfo& fault : kFaults) {
    full.faults[fault.kind] = static_cast<uint8_t>(bytes[1 + static_cast<size_t>(fault.kind)]);
  }
  return full;
}

Event TransitionTable::EventOf(EventId event) const {
  switch (event.kind()) {
    case EventKind::kDeliver:
      return {EventKind::kDeliver, sender(event.message()),
              std::string(messages_.at(event.message().value()).substr(2 * sizeof(uint32_t)))};
    case EventKind::kAction:
      return {EventKind::kAction, NodeId(0), std::string(actions_.at(event.action().value()))};
    default: return {event.kind(), event.peer(), ""};
  }
}

EventId TransitionTable::InternEvent(NodeId node, const Event& event) {
  switch (event.kind) {
    case EventKind::kDeliver:
      return EventId::Deliver(InternMessage({event.peer, node, event.body}));
    case EventKind::kAction: return EventId::Action(ActionId(actions_.Intern(event.body)));
    default: return EventId::Bare(event.kind, event.peer);
  }
}

PathStep TransitionTable::PathStepOf(NodeId node, EventId event, const Step& step) const {
  const std::span<const uint32_t> choices = ChoicesOf(step);
  return {node, EventOf(event), {choices.begin(), choices.end()}};
}

Help TransitionTable::HelpOf(EventId event) {
  if (event.kind() != EventKind::kAction) return model::HelpOf(event.kind());
  const uint32_t action = event.action().value();
  for (auto next = static_cast<uint32_t>(action_help_.size()); next < actions_.size(); ++next) {
    action_help_.push_back(model::HelpOf(service_, EventOf(EventId::Action(ActionId(next)))));
  }
  return action_help_[action];
}

std::span<const MessageId> TransitionTable::Messages(uint32_t list) const {
  const std::span<const uint32_t> numbers = lists_.at(list);
  return {reinterpret_cast<const MessageId*>(numbers.data()), numbers.size()};
}

uint64_t TransitionTable::state_count() const {
  uint64_t count = 0;
  for (const Node& node : nodes_) count += node.states.size();
  return count;
}

std::span<const EventId> TransitionTable::LocalEvents(NodeId node, StateId state) {
  std::vector<Local>& known = nodes_[node.index()].local_events;
  if (known.size() <= state.index()) known.resize(state.index() + 1);
  Local& local = known[state.index()];
  if (local.known) return local.events;
  std::vector<EventId> events;
  for (const Event& event : model::LocalEvents(service_, node, StateOf(node, state))) {
    FORETELL_CHECK(event.kind != EventKind::kDeliver);
    events.push_back(InternEvent(node, event));
  }
  local = {event_arena_.Add(events), true};
  return local.events;
}

std::span<const Step> TransitionTable::Successors(NodeId node, StateId state, EventId event) {
  const auto& steps = nodes_[node.index()].steps;
  const auto found = steps.find(PairKey(state.value(), event.value()));
  return found != steps.end() ? found->second : Execute(node, state, event);
}

std::span<const Step> TransitionTable::Execute(NodeId node, StateId state, EventId event) {
  std::vector<Step> steps;
  for (LocalOutcome& outcome :
       RunAllChoices(service_, node, StateOf(node, state), EventOf(event))) {
    outcome.choices.push_back(outcome.weight);
    steps.push_back({InternState(node, outcome.next), InternSends(node, outcome.sends),
                     choices_.Intern(outcome.choices)});
  }
  handler_executions_ += steps.size();
  ++memo_entries_;
  const std::span<const Step> kept = step_arena_.Add(steps);
  nodes_[node.index()].steps.emplace(PairKey(state.value(), event.value()), kept);

  const Execution execution{node, state, event};
  if (lists_executions_) executions_.push_back(execution);
  // All of a small service is audited, and a sample of a large one.
  constexpr uint64_t kStride = 64;
  constexpr size_t kRemember = 4096;
  constexpr uint64_t kCaptureRunsOnTheWay = 4;
  if (memo_entries_ > kRemember / 8 && memo_entries_ % kStride != 0) return kept;
  if (remembered_.size() < kRemember) {
    remembered_.push_back(execution);
  } else {
    // By now other handlers ran: whatever hidden state there is had its chance to change.
    AuditOne(std::exchange(remembered_[memo_entries_ / kStride % kRemember], execution),
             kCaptureRunsOnTheWay);
  }
  return kept;
}

SendsId TransitionTable::InternSends(NodeId from, const std::vector<Send>& sends) {
  if (sends.empty()) return SendsId(0);
  std::vector<MessageId> messages;
  messages.reserve(sends.size());
  for (const Send& send : sends) messages.push_back(InternMessage({from, send.to, send.body}));
  return InternMessages(std::move(messages));
}

SendsId TransitionTable::InternMessages(std::vector<MessageId> messages) {
  // Canonical: grouped by receiver, and within a group in order of sending on streams, in any
  // fixed order otherwise.
  std::stable_sort(messages.begin(), messages.end(), [this](MessageId a, MessageId b) {
    if (receiver(a) != receiver(b)) return receiver(a) < receiver(b);
    return !streams_ && a < b;
  });
  const SendsId id(sends_index_.Intern(AsNumbers(messages)));
  if (id.index() < sends_.size()) return id;
  std::vector<Batch> batches;
  for (size_t begin = 0; begin < messages.size();) {
    const NodeId to = receiver(messages[begin]);
    size_t end = begin;
    while (end < messages.size() && receiver(messages[end]) == to) ++end;
    const auto group = std::span<const MessageId>(messages).subspan(begin, end - begin);
    batches.push_back({to, lists_.Intern(AsNumbers(group))});
    begin = end;
  }
  sends_.push_back({batch_arena_.Add(batches)});
  return id;
}

SendsId TransitionTable::Concatenate(SendsId first, SendsId second) {
  if (first == SendsId(0)) return second;
  if (second == SendsId(0)) return first;
  const auto [found, fresh] =
      concatenated_.try_emplace(PairKey(first.value(), second.value()), SendsId(0));
  if (!fresh) return found->second;
  std::vector<MessageId> messages;
  for (const SendsId sends : {first, second}) {
    for (const Batch& batch : Batches(sends)) {
      const auto list = Messages(batch.list);
      messages.insert(messages.end(), list.begin(), list.end());
    }
  }
  return found->second = InternMessages(std::move(messages));
}

uint64_t TransitionTable::bytes() const {
  uint64_t total = messages_.bytes() + actions_.bytes() + lists_.bytes() + sends_index_.bytes() +
                   choices_.bytes() + step_arena_.bytes() + event_arena_.bytes() +
                   batch_arena_.bytes() + ends_.capacity() * sizeof(Ends) +
                   sends_.size() * sizeof(Sends) +
                   (remembered_.capacity() + executions_.capacity()) * sizeof(Execution);
  for (const Node& node : nodes_) {
    using Entry = std::pair<uint64_t, std::span<const Step>>;
    total += node.states.bytes() + node.local_events.capacity() * sizeof(Local) +
             node.steps.capacity() * (sizeof(Entry) + 1) +
             node.messages.capacity() * sizeof(MessageId);
  }
  return total + concatenated_.capacity() * (sizeof(std::pair<uint64_t, SendsId>) + 1);
}

}  // namespace foretell::model
