#include "foretell/search/dpor/service_walk.h"

#include <algorithm>
#include <variant>

#include "foretell/model/check.h"

namespace foretell::search {

namespace process = model::process;
using model::EventId;
using model::NodeId;
using model::StateId;
using process::Protocol;

namespace {

// Whether the mailboxes take note of the request and answer later.
bool IsAnsweredLater(const process::Request& request) {
  const auto* const test = std::get_if<process::TestRequest>(&request);
  return std::holds_alternative<process::WaitRequest>(request) ||
         (test != nullptr && !test->polled.empty());
}

}  // namespace

ServiceWalk::ServiceWalk(model::TransitionTable& table, const model::SystemCut& cut)
    : table_(table), processes_(table.node_count() - 1), office_(processes_), asked_(processes_) {
  FORETELL_CHECK(process::IsProgram(table.service()));
  for (uint32_t n = 0; n <= processes_; ++n) {
    states_.push_back(table_.InternState(NodeId(n), cut.nodes[n]).value());
  }
  Settle(cut);
}

void ServiceWalk::Settle(const model::SystemCut& cut) {
  std::vector<bool> fresh(processes_);  // Asks, and nobody has taken note.
  for (const model::Message& message : cut.in_flight) {
    if (message.to == office_) {
      fresh[message.from.value()] = true;
    } else if (table_.Accepts(message.to, StateId(states_[message.to.value()]))) {
      HappenOnly(message.to, EventId::Deliver(table_.InternMessage(message)));
      fresh[message.to.value()] = true;
    }
  }
  for (uint32_t p = 0; p < processes_; ++p) {
    const StateId state(states_[p]);
    if (table_.status(NodeId(p), state) != model::NodeStatus::kUp) continue;
    for (const EventId event : table_.LocalEvents(NodeId(p), state)) {
      if (event.kind() != model::EventKind::kAction) continue;
      HappenOnly(NodeId(p), event);
      fresh[p] = true;
      break;
    }
    asked_[p] = fresh[p] || Waiting(p);
    if (fresh[p]) Register(p);
  }
}

// The mailboxes have taken note of it.
bool ServiceWalk::Waiting(uint32_t p) const {
  const model::NodeState office = StateOf(processes_);
  return office.status == model::NodeStatus::kUp &&
         model::Decode<Protocol::State>(office.body)->mailboxes->askers.contains(p);
}

process::Request ServiceWalk::RequestOf(uint32_t p) const {
  const model::NodeState state = StateOf(p);
  if (state.status != model::NodeStatus::kUp) return process::EndRequest();
  return model::Decode<Protocol::State>(state.body)->process->asks;
}

void ServiceWalk::Happen(NodeId node, EventId event, const model::Step& step) {
  path_.push_back(table_.PathStepOf(node, event, step));
  states_[node.value()] = step.next.value();
}

// An event of which there is one outcome.
void ServiceWalk::HappenOnly(NodeId node, EventId event) {
  Happen(node, event, table_.Successors(node, StateId(states_[node.value()]), event).front());
}

EventId ServiceWalk::Serve(uint32_t p, const process::Request& request) {
  return EventId::Deliver(
      table_.InternMessage({NodeId(p), office_, model::Encode(Protocol::Asking(request))}));
}

EventId ServiceWalk::Answer(const Protocol::Action& action) {
  return table_.InternEvent(office_,
                            {model::EventKind::kAction, NodeId(0), model::Encode(action)});
}

// The mailboxes take note of a process that waits.
void ServiceWalk::Register(uint32_t p) {
  const process::Request request = RequestOf(p);
  if (!IsAnsweredLater(request) || !table_.Accepts(office_, StateId(states_[processes_]))) return;
  HappenOnly(office_, Serve(p, request));
}

void ServiceWalk::Take(uint32_t p, Via via, uint32_t choice) {
  const process::Request request = RequestOf(p);
  EventId event = Serve(p, request);
  if (via == Via::kAnswered) event = Answer(Protocol::Answer{p, choice});
  if (via == Via::kExpired) {
    const auto* const wait = std::get_if<process::WaitRequest>(&request);
    event = Answer(Protocol::Expire{p, wait != nullptr ? wait->expires : 0});
  }
  const auto ways = table_.Successors(office_, StateId(states_[processes_]), event);
  // A program that is not deterministic may not get as far; it is found out elsewhere.
  const size_t way = via == Via::kServed ? std::min<size_t>(choice, ways.size() - 1) : 0;
  const model::Step served = ways[way];
  Happen(office_, event, served);
  for (const model::Batch& batch : table_.Batches(served.sends)) {
    for (const model::MessageId message : table_.Messages(batch.list)) {
      if (!table_.Accepts(batch.to, StateId(states_[batch.to.value()]))) continue;
      HappenOnly(batch.to, EventId::Deliver(message));
    }
  }
  Register(p);
}

}  // namespace foretell::search
