#include "foretell/search/global_space.h"

#include "foretell/model/check.h"

namespace foretell::search {

using model::EventId;
using model::MessageId;
using model::NodeId;
using model::StreamLoss;

GlobalState GlobalSpace::Start(const model::SystemCut& cut) {
  GlobalState start(table_.node_count());
  std::vector<std::vector<MessageId>> in_flight(table_.node_count());
  for (const model::Message& message : cut.in_flight) {
    in_flight[message.to.index()].push_back(table_.InternMessage(message));
  }
  for (uint32_t n = 0; n < table_.node_count(); ++n) {
    start.set_state(NodeId(n), table_.InternState(NodeId(n), cut.nodes[n]));
    start.set_mailbox(NodeId(n), mailboxes_.Intern(NodeId(n), std::move(in_flight[n])));
  }
  return start;
}

void GlobalSpace::Enabled(const GlobalState& state, NodeId node, std::vector<EventId>& events) {
  if (table_.Accepts(node, state.state(node))) {
    for (const MessageId message : mailboxes_.Deliverable(node, state.mailbox(node))) {
      events.push_back(EventId::Deliver(message));
    }
  }
  const auto local = table_.LocalEvents(node, state.state(node));
  events.insert(events.end(), local.begin(), local.end());
}

void GlobalSpace::AllEnabled(const GlobalState& state, std::vector<Move>& moves) {
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    events_.clear();
    Enabled(state, NodeId(n), events_);
    for (const EventId event : events_) moves.push_back({NodeId(n), event});
  }
}

bool GlobalSpace::NothingInFlight(const GlobalState& state) const {
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    if (!mailboxes_.Content(NodeId(n), state.mailbox(NodeId(n))).empty()) return false;
  }
  return true;
}

void GlobalSpace::Apply(const GlobalState& from, NodeId node, EventId event,
                        const model::Step& step, GlobalState& to) {
  to = from;
  to.set_state(node, step.next);
  if (event.is_deliver()) {
    to.set_mailbox(node, mailboxes_.Remove(node, from.mailbox(node), event.message()));
  }
  switch (model::InfoOf(event.kind()).loses) {
    case StreamLoss::kNothing: break;
    case StreamLoss::kFromPeer:
      to.set_mailbox(node, mailboxes_.Break(node, from.mailbox(node), event.peer()));
      break;
    case StreamLoss::kAll: to.set_mailbox(node, mailboxes_.Restart(from.mailbox(node))); break;
  }
  for (const model::Batch& batch : table_.Batches(step.sends)) {
    to.set_mailbox(batch.to, mailboxes_.Add(batch.to, to.mailbox(batch.to), batch.list));
  }
}

model::PathStep GlobalSpace::StepBetween(const GlobalState& from, const GlobalState& to,
                                         const MoveFilter* filter) {
  std::vector<EventId> events;
  GlobalState next(from.node_count());
  for (uint32_t n = 0; n < from.node_count(); ++n) {
    events.clear();
    Enabled(from, NodeId(n), events);
    for (const EventId event : events) {
      for (const model::Step& step : table_.Successors(NodeId(n), from.state(NodeId(n)), event)) {
        if (filter != nullptr && !filter->Follows(event, step)) continue;
        Apply(from, NodeId(n), event, step, next);
        if (next == to) return table_.PathStepOf(NodeId(n), event, step);
      }
    }
  }
  FORETELL_CHECK(false);
  return {};
}

model::SystemCut GlobalSpace::CutOf(const GlobalState& state) const {
  model::SystemCut cut;
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    const NodeId node(n);
    cut.nodes.push_back(table_.StateOf(node, state.state(node)));
    for (const MessageId message : mailboxes_.Content(node, state.mailbox(node))) {
      cut.in_flight.push_back(
          {table_.sender(message), node, table_.EventOf(EventId::Deliver(message)).body});
    }
  }
  return cut;
}

}  // namespace foretell::search
