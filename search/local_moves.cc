#include "foretell/search/local_moves.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::search {

using model::EventId;
using model::NodeId;

LocalMoves::LocalMoves(GlobalSpace& space)
    : space_(space), nodes_(space.table().node_count()), at_(nodes_.size()) {}

void LocalMoves::Look(const GlobalState& state) {
  for (uint32_t n = 0; n < state.node_count(); ++n) at_[n] = &EntryOf(state, NodeId(n));
}

LocalMoves::Entry& LocalMoves::EntryOf(const GlobalState& state, NodeId node) {
  Node& own = nodes_[node.index()];
  // As many made as there is room for: some are made again and again.
  if (own.made >= own.entries.size() && own.entries.size() < kEntriesMax) {
    own.entries = std::vector<Entry>(std::max(kEntriesMin, 4 * own.entries.size()));
    own.made = 0;
  }
  const uint64_t mixed =
      model::PairKey(state.state(node).value(), state.mailbox(node).value()) * 0x9e3779b97f4a7c15;
  Entry& entry = own.entries[mixed >> 32 & (own.entries.size() - 1)];
  const bool same =
      entry.known && entry.state == state.state(node) && entry.mailbox == state.mailbox(node);
  if (!same) Make(state, node, entry);
  return entry;
}

void LocalMoves::Make(const GlobalState& state, NodeId node, Entry& entry) {
  ++nodes_[node.index()].made;
  entry.state = state.state(node);
  entry.mailbox = state.mailbox(node);
  entry.known = true;
  entry.events.clear();
  entry.outcomes.clear();
  entry.arrivals.clear();
  events_.clear();
  space_.Enabled(state, node, events_);
  for (const EventId event : events_) entry.events.push_back({event});
}

void LocalMoves::AllEnabled(std::vector<Move>& moves) const {
  for (uint32_t n = 0; n < at_.size(); ++n) {
    for (const Event& event : at_[n]->events) moves.push_back({NodeId(n), event.event});
  }
}

LocalMoves::Event& LocalMoves::EventOf(const Move& move) {
  std::vector<Event>& events = at_[move.node.index()]->events;
  const auto found = std::find_if(events.begin(), events.end(),
                                  [&](const Event& event) { return event.event == move.event; });
  FORETELL_CHECK(found != events.end());
  return *found;
}

std::span<const LocalMoves::Outcome> LocalMoves::Outcomes(const Move& move) {
  Entry& entry = *at_[move.node.index()];
  Event& event = EventOf(move);
  if (event.end == 0) {
    event.begin = static_cast<uint32_t>(entry.outcomes.size());
    for (const model::Step& step : space_.Successors(move.node, entry.state, move.event)) {
      entry.outcomes.push_back({step, space_.table().Batches(step.sends), std::nullopt});
    }
    event.end = static_cast<uint32_t>(entry.outcomes.size());
  }
  return std::span(entry.outcomes).subspan(event.begin, event.end - event.begin);
}

void LocalMoves::Apply(const GlobalState& from, const Move& move, const Outcome& outcome,
                       GlobalState& to) {
  if (!applies_all_ && ApplyKnown(from, move, outcome, to)) return;
  space_.Apply(from, move.node, move.event, outcome.step, to);
  if (!applies_all_) Learn(move, outcome, to);
}

bool LocalMoves::ApplyKnown(const GlobalState& from, const Move& move, const Outcome& outcome,
                            GlobalState& to) {
  if (!outcome.mailbox) return false;
  to = from;
  to.set_state(move.node, outcome.step.next);
  to.set_mailbox(move.node, *outcome.mailbox);
  for (const model::Batch& batch : outcome.sends) {
    if (batch.to == move.node) continue;
    const std::vector<Arrival>& arrivals = at_[batch.to.index()]->arrivals;
    const auto found = std::find_if(arrivals.begin(), arrivals.end(), [&](const Arrival& arrival) {
      return arrival.list == batch.list;
    });
    if (found == arrivals.end()) return false;
    to.set_mailbox(batch.to, found->mailbox);
  }
  return true;
}

// What becomes of a mailbox depends on its node alone, and on what is sent there.
void LocalMoves::Learn(const Move& move, const Outcome& outcome, const GlobalState& to) {
  for (const model::Batch& batch : outcome.sends) {
    if (batch.to == move.node) continue;
    std::vector<Arrival>& arrivals = at_[batch.to.index()]->arrivals;
    const bool known = std::any_of(arrivals.begin(), arrivals.end(), [&](const Arrival& arrival) {
      return arrival.list == batch.list;
    });
    if (!known) arrivals.push_back({batch.list, to.mailbox(batch.to)});
  }
  Entry& entry = *at_[move.node.index()];
  const Event& event = EventOf(move);
  for (uint32_t i = event.begin; i < event.end; ++i) {
    if (entry.outcomes[i].step == outcome.step) entry.outcomes[i].mailbox = to.mailbox(move.node);
  }
}

}  // namespace foretell::search
