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
  if (minimised_ == nullptr) return start;
  start_ = start;
  for (uint32_t n = 0; n < table_.node_count(); ++n) {
    start.set_state(NodeId(n), minimised_->ClassOf(NodeId(n), start.state(NodeId(n))));
    Keep(NodeId(n), start);
  }
  return start;
}

void GlobalSpace::Keep(NodeId node, GlobalState& state) {
  const LiveMessages& live = minimised_->live();
  const uint32_t set = live.SetOf(node, state.state(node));
  state.set_mailbox(node, mailboxes_.Keep(node, state.mailbox(node), live, set));
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
  ApplyWhole(from, node, event, step, to);
  if (minimised_ == nullptr) return;
  // Where nobody did anything, there is still nothing inert.
  Keep(node, to);
  for (const model::Batch& batch : table_.Batches(step.sends)) Keep(batch.to, to);
}

void GlobalSpace::ApplyWhole(const GlobalState& from, NodeId node, EventId event,
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

GlobalSpace::Taken GlobalSpace::StepBetween(const GlobalState& from, const GlobalState& to,
                                            const MoveFilter* filter) {
  std::vector<EventId> events;
  GlobalState next(from.node_count());
  for (uint32_t n = 0; n < from.node_count(); ++n) {
    events.clear();
    Enabled(from, NodeId(n), events);
    for (const EventId event : events) {
      for (const model::Step& step : Successors(NodeId(n), from.state(NodeId(n)), event)) {
        if (filter != nullptr && !filter->Follows(event, step)) continue;
        Apply(from, NodeId(n), event, step, next);
        if (next == to) return {NodeId(n), event, step};
      }
    }
  }
  FORETELL_CHECK(false);
  return {};
}

model::Path GlobalSpace::PathThrough(std::span<const GlobalState> states,
                                     const MoveFilter* filter) {
  model::Path path;
  GlobalState whole = minimised_ != nullptr ? *start_ : states[0];
  for (size_t i = 1; i < states.size(); ++i) {
    const Taken taken = StepBetween(states[i - 1], states[i], filter);
    if (minimised_ != nullptr) {
      FollowWhole(taken, whole, path);
    } else {
      path.push_back(table_.PathStepOf(taken.node, taken.event, taken.step));
    }
  }
  if (minimised_ != nullptr && minimised_->live().ends()) DeliverInert(states.back(), whole, path);
  return path;
}

// States of a class have the same events, with outcomes that send the same and lead to the same
// classes; so whatever was found for classes happens to the nodes as they are.
void GlobalSpace::FollowWhole(const Taken& taken, GlobalState& at, model::Path& path) {
  const NodeId node = taken.node;
  if (taken.event.is_deliver()) {
    // On a stream something inert may be in front.
    const NodeId sender = table_.sender(taken.event.message());
    const auto in_front = [&]() -> std::optional<MessageId> {
      for (const MessageId message : mailboxes_.Deliverable(node, at.mailbox(node))) {
        if (message == taken.event.message()) return std::nullopt;
      }
      for (const MessageId message : mailboxes_.Deliverable(node, at.mailbox(node))) {
        if (table_.sender(message) == sender) return message;
      }
      FORETELL_CHECK(false);
      return std::nullopt;
    };
    while (const auto inert = in_front()) {
      TakeWhole(node, EventId::Deliver(*inert), model::SendsId(0),
                minimised_->ClassOf(node, at.state(node)), at, path);
    }
  }
  TakeWhole(node, taken.event, taken.step.sends, taken.step.next, at, path);
}

void GlobalSpace::TakeWhole(NodeId node, EventId event, model::SendsId sends, model::StateId next,
                            GlobalState& at, model::Path& path) {
  for (const model::Step& step : table_.Successors(node, at.state(node), event)) {
    if (step.sends != sends || minimised_->ClassOf(node, step.next) != next) continue;
    path.push_back(table_.PathStepOf(node, event, step));
    const GlobalState from = at;
    ApplyWhole(from, node, event, step, at);
    return;
  }
  FORETELL_CHECK(false);
}

// At an end of the search what is inert is still in flight; then it is no end of the system.
void GlobalSpace::DeliverInert(const GlobalState& last, GlobalState& at, model::Path& path) {
  if (!NothingInFlight(last)) return;
  for (uint32_t n = 0; n < at.node_count(); ++n) {
    const NodeId node(n);
    while (at.mailbox(node) != MailboxId(0)) {
      const MessageId inert = mailboxes_.Deliverable(node, at.mailbox(node))[0];
      TakeWhole(node, EventId::Deliver(inert), model::SendsId(0), last.state(node), at, path);
    }
  }
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
