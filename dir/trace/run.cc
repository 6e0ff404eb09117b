#include "foretell/dir/trace/run.h"

#include <algorithm>
#include <string>

#include "foretell/model/check.h"

namespace foretell::dir {

using model::EventId;
using model::MessageId;
using model::NodeId;
using model::StateId;

Run::Run(const CheckSetting& setting, NumberedTable& table, std::span<const NodeId> inside)
    : setting_(setting),
      table_(table.transitions),
      events_(table.events),
      interface_keys_(setting, table.transitions),
      streams_(setting.service.network().kind == model::NetworkKind::kStreams),
      copies_(streams_ ? 1 : 1 + setting.service.network().duplicates_max),
      inside_(inside.begin(), inside.end()),
      is_inside_(setting.components.node_count(), false),
      states_(setting.components.node_count()),
      history_(setting.components.node_count()),
      mail_(setting.components.node_count()) {
  for (const NodeId node : inside_) {
    is_inside_[node.index()] = true;
    states_[node.index()] = table_.InternState(node, setting_.start.nodes[node.index()]);
  }
  for (const model::Message& message : setting_.start.in_flight) {
    if (!is_inside_[message.to.index()]) continue;
    mail_[message.to.index()].push_back(static_cast<uint32_t>(flights_.size()));
    flights_.push_back({.message = table_.InternMessage(message)});
  }
}

void Run::Enter(std::span<const Arrival> environment) {
  FORETELL_CHECK(size_ == 0);
  environment_.Clear();
  waits_for_.clear();
  for (const Arrival& arrival : environment) {
    const uint32_t index = AddArrival(arrival);
    environment_.Set(index);
    for (const Signature& need : arrival.needs) waits_for_[need].push_back(index);
  }
}

uint32_t Run::AddArrival(const Arrival& arrival) {
  const auto index = static_cast<uint32_t>(arrivals_.size());
  const auto [known, fresh] = arrival_of_.try_emplace(arrival.identity, index);
  if (!fresh) return known->second;
  PendingArrival pending;
  pending.arrival = arrival;
  const NodeId node = events_.NodeOf(arrival.number);
  // The message is interned whatever the node's state.
  const model::Event event = setting_.event_numbers.At(arrival.number).event;
  const EventId deliver = EventId::Deliver(table_.InternMessage({event.peer, node, event.body}));
  pending.candidate = {node, deliver, events_.Number(node, deliver), kNone, index};
  if (arrival.previous != Signature()) pending.previous = arrival_of_.at(arrival.previous);
  arrivals_.push_back(std::move(pending));
  return index;
}

// Messages in one queue arrive in order: those of one stream, and copies of one datagram, of which
// it does not matter which comes first.
bool Run::SameQueue(MessageId a, MessageId b) const {
  if (!streams_) return a == b;
  return table_.sender(a) == table_.sender(b) && table_.receiver(a) == table_.receiver(b);
}

void Run::Deliveries(NodeId node, std::vector<Candidate>& candidates) {
  const std::vector<uint32_t>& mail = mail_[node.index()];
  for (size_t i = 0; i < mail.size(); ++i) {
    const MessageId message = flights_[mail[i]].message;
    bool first = true;
    for (size_t j = 0; first && j < i; ++j) first = !SameQueue(flights_[mail[j]].message, message);
    if (!first) continue;
    const EventId event = EventId::Deliver(message);
    candidates.push_back({node, event, events_.Number(node, event), mail[i], kNone});
  }
}

bool Run::Overtakes(const PendingArrival& pending) const {
  if (pending.previous != kNone && !arrivals_[pending.previous].gone) return true;
  for (const uint32_t flight : mail_[pending.candidate.node.index()]) {
    if (SameQueue(flights_[flight].message, pending.candidate.event.message())) return true;
  }
  return false;
}

void Run::Arriving(bool accepted, std::vector<Candidate>& candidates) {
  environment_.ForEach([&](size_t index) {
    const PendingArrival& pending = arrivals_[index];
    if (!pending.ready() || pending.gone || Overtakes(pending)) return;
    const NodeId node = pending.candidate.node;
    if (table_.Accepts(node, states_[node.index()]) != accepted) return;
    candidates.push_back(pending.candidate);
  });
}

void Run::Ready(std::vector<uint32_t>& arrivals) const {
  environment_.ForEach([&](size_t index) {
    if (arrivals_[index].ready()) arrivals.push_back(static_cast<uint32_t>(index));
  });
}

void Run::Enabled(std::vector<Candidate>& candidates) {
  for (const NodeId node : inside_) {
    const StateId state = states_[node.index()];
    if (table_.Accepts(node, state)) Deliveries(node, candidates);
    for (const EventId event : table_.LocalEvents(node, state)) {
      candidates.push_back({node, event, events_.Number(node, event), kNone, kNone});
    }
  }
  Arriving(/*accepted=*/true, candidates);
}

void Run::Blocked(std::vector<Candidate>& candidates) {
  for (const NodeId node : inside_) {
    if (!table_.Accepts(node, states_[node.index()])) Deliveries(node, candidates);
  }
  Arriving(/*accepted=*/false, candidates);
}

std::optional<Candidate> Run::FindDelivery(EventId event, const Signature& received) {
  const NodeId node = table_.receiver(event.message());
  for (const uint32_t flight : mail_[node.index()]) {
    if (!SameQueue(flights_[flight].message, event.message())) continue;
    const bool next =
        flights_[flight].message == event.message() && flights_[flight].identity == received;
    if (!next) return std::nullopt;
    return Candidate{node, event, events_.Number(node, event), flight, kNone};
  }
  return std::nullopt;
}

void Run::Include(uint32_t position, Positions& past) const {
  past.UnionWith(transitions_[position].past);
  past.Set(position);
}

// Adds the transitions that must have happened whatever the dependencies within the node.
void Run::Causes(const Candidate& candidate, Positions& past) const {
  if (candidate.flight != kNone) {
    const uint32_t sent_at = flights_[candidate.flight].sent_at;
    if (sent_at != kNone) Include(sent_at, past);
  }
  if (!candidate.event.is_deliver()) return;
  // The message before it in its queue.
  const std::vector<uint32_t>& history = history_[candidate.node.index()];
  for (auto position = history.rbegin(); position != history.rend(); ++position) {
    const EventId event = transitions_[*position].candidate.event;
    if (!event.is_deliver() || !SameQueue(event.message(), candidate.event.message())) continue;
    Include(*position, past);
    break;
  }
  if (candidate.arrival != kNone) Needed(candidate.arrival, past);
}

void Run::Needed(uint32_t arrival, Positions& past) const {
  for (const uint32_t position : arrivals_[arrival].met) Include(position, past);
}

void Run::Order(const Candidate& candidate, Positions& past, std::vector<uint32_t>& races) const {
  Causes(candidate, past);
  const std::vector<uint32_t>& history = history_[candidate.node.index()];
  for (auto position = history.rbegin(); position != history.rend(); ++position) {
    if (past.Test(*position)) continue;
    if (!setting_.dependency.Dependent(candidate.number,
                                       transitions_[*position].candidate.number)) {
      continue;
    }
    races.push_back(*position);
    Include(*position, past);
  }
}

uint32_t Run::LatestBefore(const Candidate& candidate, uint32_t position) const {
  Positions causes;
  Causes(candidate, causes);
  const std::vector<uint32_t>& history = history_[candidate.node.index()];
  for (auto earlier = history.rbegin(); earlier != history.rend(); ++earlier) {
    if (*earlier >= position) continue;
    if (causes.Test(*earlier)) return kNone;
    const uint32_t number = transitions_[*earlier].candidate.number;
    if (setting_.dependency.Dependent(candidate.number, number)) return *earlier;
  }
  return kNone;
}

uint32_t Run::Outcomes(const Candidate& candidate) {
  const StateId state = states_[candidate.node.index()];
  return static_cast<uint32_t>(table_.Successors(candidate.node, state, candidate.event).size());
}

void Run::Apply(const Candidate& candidate, uint32_t outcome) {
  Positions past;
  races_.clear();
  Order(candidate, past, races_);
  Apply(candidate, outcome, past);
}

Signature Run::ReceivedIdentity(const Candidate& candidate) const {
  if (candidate.flight != kNone) return flights_[candidate.flight].identity;
  if (candidate.arrival != kNone) return arrivals_[candidate.arrival].arrival.identity;
  return {};
}

void Run::Apply(const Candidate& candidate, uint32_t outcome, const Positions& past,
                const Signature& received) {
  const size_t node = candidate.node.index();
  const model::Step step =
      table_.Successors(candidate.node, states_[node], candidate.event)[outcome];
  if (transitions_.size() == size_) transitions_.emplace_back();
  Transition& transition = transitions_[size_];
  transition.candidate = candidate;
  transition.outcome = outcome;
  transition.before = states_[node];
  transition.after = step.next;
  transition.past = past;
  transition.interface = false;
  transition.signature = Signature();
  transition.received = received;
  received_sum_ += received;
  transition.flights_before = static_cast<uint32_t>(flights_.size());
  if (candidate.flight != kNone) std::erase(mail_[node], candidate.flight);
  if (candidate.arrival != kNone) arrivals_[candidate.arrival].gone = true;
  states_[node] = step.next;
  history_[node].push_back(size_);
  ++size_;
  DescribeInterface(transition, step);
  Send(transition, step);
  if (transition.interface) Announce(transition, /*happens=*/true);
}

void Run::Undo() {
  --size_;
  const Transition& transition = transitions_[size_];
  const size_t node = transition.candidate.node.index();
  if (transition.interface) Announce(transition, /*happens=*/false);
  while (flights_.size() > transition.flights_before) {
    mail_[table_.receiver(flights_.back().message).index()].pop_back();
    flights_.pop_back();
  }
  history_[node].pop_back();
  received_sum_ -= transition.received;
  states_[node] = transition.before;
  if (transition.candidate.arrival != kNone) arrivals_[transition.candidate.arrival].gone = false;
  if (transition.candidate.flight != kNone) {
    const uint32_t flight = transition.candidate.flight;
    std::vector<uint32_t>& mail = mail_[node];
    mail.insert(std::lower_bound(mail.begin(), mail.end(), flight), flight);
  }
}

// Keeps the sum of interface transitions, and the needs of arrivals that wait for this one.
void Run::Announce(const Transition& transition, bool happens) {
  if (happens) {
    interface_sum_ += transition.signature;
  } else {
    interface_sum_ -= transition.signature;
  }
  if (waits_for_.empty()) return;
  const auto found = waits_for_.find(transition.signature);
  if (found == waits_for_.end()) return;
  for (const uint32_t arrival : found->second) {
    std::vector<uint32_t>& met = arrivals_[arrival].met;
    if (happens) {
      met.push_back(size_ - 1);
    } else {
      met.pop_back();
    }
  }
}

}  // namespace foretell::dir
