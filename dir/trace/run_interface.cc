// The interface of a run: the transitions and messages that others can notice, and their names.

#include "foretell/dir/trace/run.h"

namespace foretell::dir {

using model::EventId;
using model::MessageId;
using model::NodeId;

namespace {

Signature NumberSignature(uint64_t number) { return {0, number}; }

}  // namespace

// The signature of all that `step` sends to other components.
Signature Run::SentSignature(const Transition& transition, const model::Step& step) const {
  Signature sum;
  for (const model::Batch& batch : table_.Batches(step.sends)) {
    if (setting_.components.of(batch.to) == component(transition)) continue;
    Signature order;
    for (const MessageId message : table_.Messages(batch.list)) {
      const Signature& content = events_.MessageSignature(message);
      order = streams_ ? SignatureOf({order, content}) : order + content;
    }
    sum += order;
  }
  return sum;
}

// Decides whether the transition is part of the interface, and names it if it is.
void Run::DescribeInterface(Transition& transition, const model::Step& step) {
  const Signature sent = SentSignature(transition, step);
  Signature visible;
  if (setting_.projection != nullptr && transition.before != transition.after) {
    const NodeId node = transition.candidate.node;
    const Signature before = interface_keys_.Of(node, transition.before);
    const Signature after = interface_keys_.Of(node, transition.after);
    if (before != after) visible = SignatureOf({NumberSignature(1 + node.value()), after});
  }
  const bool received =
      setting_.interface == Interface::kSendsAndReceives && transition.received != Signature();
  transition.interface = received || sent != Signature() || visible != Signature();
  if (!transition.interface) return;
  Signature own;
  Signature arrived = transition.received;
  transition.past.ForEach([&](size_t position) {
    const Transition& earlier = transitions_[position];
    if (component(earlier) != component(transition)) return;
    if (earlier.interface) own += earlier.signature;
    arrived += earlier.received;
  });
  transition.signature = SignatureOf({sent, visible, own, arrived});
}

void Run::Send(const Transition& transition, const model::Step& step) {
  const auto position = size_ - 1;
  for (const model::Batch& batch : table_.Batches(step.sends)) {
    if (!is_inside_[batch.to.index()]) continue;
    const ComponentId to = setting_.components.of(batch.to);
    const bool crosses = to != component(transition);
    const Signature own = crosses ? HistorySignature(transition, to) : Signature();
    for (const MessageId message : table_.Messages(batch.list)) {
      for (uint32_t copy = 0; copy < copies_; ++copy) {
        const auto index = static_cast<uint32_t>(flights_.size());
        Flight flight{message, position, {}, crosses};
        if (crosses) {
          flight.identity =
              SignatureOf({events_.MessageSignature(message), own, Previous(message, index)});
        }
        mail_[batch.to.index()].push_back(index);
        flights_.push_back(flight);
      }
    }
  }
}

// The interface transitions of component `to` before a transition that sends to it.
Signature Run::HistorySignature(const Transition& transition, ComponentId to) const {
  Signature own;
  transition.past.ForEach([&](size_t position) {
    const Transition& earlier = transitions_[position];
    if (earlier.interface && component(earlier) == to) own += earlier.signature;
  });
  return own;
}

// The message before it in its queue; zero if there is none, or none since the start.
Signature Run::Previous(MessageId message, size_t flight) const {
  while (flight-- > 0) {
    if (SameQueue(flights_[flight].message, message)) return flights_[flight].identity;
  }
  return {};
}

Signature Run::LocalSignature() const {
  Signature deaf;
  for (const NodeId node : inside_) {
    if (!table_.Accepts(node, states_[node.index()])) {
      deaf += SignatureOf({NumberSignature(node.value())});
    }
  }
  return SignatureOf({interface_sum_, received_sum_, deaf});
}

void Run::Arrivals(uint32_t position, ComponentId to, std::vector<Arrival>& arrivals) const {
  const Transition& transition = transitions_[position];
  const size_t end =
      position + 1 < size_ ? transitions_[position + 1].flights_before : flights_.size();
  for (size_t f = transition.flights_before; f < end; ++f) {
    const Flight& flight = flights_[f];
    const NodeId node = table_.receiver(flight.message);
    if (!flight.crosses || setting_.components.of(node) != to) continue;
    Arrival arrival;
    arrival.number = events_.Number(node, EventId::Deliver(flight.message));
    arrival.identity = flight.identity;
    transition.past.ForEach([&](size_t earlier) {
      const Transition& before = transitions_[earlier];
      if (before.interface && component(before) == to) arrival.needs.push_back(before.signature);
    });
    arrival.previous = Previous(flight.message, f);
    arrivals.push_back(std::move(arrival));
  }
}

Signature Run::ArrivalsSignature(ComponentId to) const {
  Signature sum;
  for (const Flight& flight : flights_) {
    const bool counts =
        flight.crosses && setting_.components.of(table_.receiver(flight.message)) == to;
    if (counts) sum += flight.identity;
  }
  return sum;
}

}  // namespace foretell::dir
