#include "foretell/dir/explore/enclosing_run.h"

namespace foretell::dir {

EnclosingRun::EnclosingRun(const CheckSetting& setting, NumberedTable& table,
                           std::span<const model::NodeId> nodes, const Components& division,
                           Run& parts)
    : events_(table.events), division_(division), parts_(parts), run_(setting, table, nodes) {}

void EnclosingRun::Enter(const Environment& environment) { run_.Enter(environment.arrivals); }

std::optional<Candidate> EnclosingRun::FindDelivery(model::EventId event,
                                                    const Signature& received) {
  arriving_.clear();
  run_.Arriving(arriving_);
  for (const Candidate& candidate : arriving_) {
    if (candidate.event == event && ArrivalAtPart(candidate.arrival).identity == received)
      return candidate;
  }
  return std::nullopt;
}

void EnclosingRun::Apply(const Candidate& candidate, uint32_t outcome) {
  Positions past;
  races_.clear();
  run_.Order(candidate, past, races_);
  if (candidate.arrival == kNone) {
    parts_.Apply(candidate, outcome, past);
  } else {
    const Signature received = ArrivalAtPart(candidate.arrival).identity;
    Candidate unknown = candidate;
    unknown.arrival = kNone;
    parts_.Apply(unknown, outcome, past, received);
  }
  run_.Apply(candidate, outcome, past);
}

void EnclosingRun::Undo() {
  run_.Undo();
  parts_.Undo();
}

Arrival EnclosingRun::ArrivalAtPart(uint32_t arrival) const {
  const Arrival& whole = run_.arrival(arrival);
  const ComponentId part = division_.of(run_.receiver(arrival));
  Positions past;
  run_.Needed(arrival, past);
  Arrival at_part;
  at_part.number = whole.number;
  Signature own;
  past.ForEach([&](size_t position) {
    const Transition& transition = parts_.at(static_cast<uint32_t>(position));
    if (!transition.interface || division_.of(transition.candidate.node) != part) return;
    at_part.needs.push_back(transition.signature);
    own += transition.signature;
  });
  if (whole.previous != Signature()) {
    at_part.previous = ArrivalAtPart(run_.FindArrival(whole.previous)).identity;
  }
  at_part.identity =
      SignatureOf({events_.MessageSignature(run_.message(arrival)), own, at_part.previous});
  return at_part;
}

void EnclosingRun::AddArrivals(ComponentId part, Environment& environment) const {
  std::vector<uint32_t> ready;
  run_.Ready(ready);
  // Arrivals are numbered after those that must be received before them.
  for (const uint32_t arrival : ready) {
    if (division_.of(run_.receiver(arrival)) != part) continue;
    environment.arrivals.push_back(ArrivalAtPart(arrival));
    environment.signature += environment.arrivals.back().identity;
  }
}

const Behaviour& EnclosingRun::InternBehaviour() {
  const auto [found, fresh] = behaviour_of_.try_emplace(run_.LocalSignature(), nullptr);
  if (fresh) {
    found->second = &behaviours_.emplace_back(ComponentBehaviour());
    bytes_ += BytesOf(*found->second);
  }
  return *found->second;
}

}  // namespace foretell::dir
