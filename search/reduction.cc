#include "search/reduction.h"

#include <algorithm>
#include <utility>

#include "model/check.h"

namespace foretell::search {

using model::EventId;
using model::EventKind;
using model::MessageId;
using model::NodeId;
using model::StateId;
using model::Step;

namespace {

constexpr uint32_t kVisible = 0;

uint64_t Pair(StateId state, EventId event) {
  return static_cast<uint64_t>(state.value()) << 32 | event.value();
}

bool IsFault(EventId event) {
  return event.kind() != EventKind::kDeliver && event.kind() != EventKind::kAction;
}

}  // namespace

PersistentSets::PersistentSets(GlobalSpace& space, model::InvariantTable& invariants,
                               const NodeGraphs& graphs, model::InvariantSet wanted)
    : space_(space),
      table_(space.table()),
      invariants_(invariants),
      graphs_(graphs),
      streams_(table_.service().network().kind == model::NetworkKind::kStreams),
      nodes_(table_.node_count()) {
  for (size_t i = 0; i < invariants.count(); ++i) {
    if ((wanted >> i & 1) != 0 && !invariants.info(i).stable) unstable_ |= uint64_t{1} << i;
  }
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    NumberEvents(NodeId(n));
    FindConflicts(NodeId(n));
    FindFuture(NodeId(n));
  }
}

void PersistentSets::NumberEvents(NodeId node) {
  Node& own = nodes_[node.index()];
  own.events.resize(1 + nodes_.size());  // Numbers that stand for no event.
  for (const StateId state : graphs_.States(node)) {
    for (const EventId event : graphs_.Events(node, state)) {
      const auto number = static_cast<uint32_t>(own.events.size());
      if (own.number.try_emplace(event, number).second) own.events.push_back(event);
    }
  }
}

// While `event` waits, can `other` happen at the same node? On a stream nothing overtakes.
bool PersistentSets::CanPrecede(EventId other, EventId event) const {
  if (other == event) return false;
  return !streams_ || !other.is_deliver() || !event.is_deliver() ||
         table_.sender(other.message()) != table_.sender(event.message());
}

bool PersistentSets::Enabled(NodeId node, StateId state, EventId event) {
  if (event.is_deliver()) return table_.Accepts(node, state);
  const auto local = table_.LocalEvents(node, state);
  return std::find(local.begin(), local.end(), event) != local.end();
}

bool PersistentSets::Commute(NodeId node, StateId state, EventId a, EventId b) {
  // A break takes away what its stream would have delivered.
  const auto breaks = [&](EventId x, EventId y) {
    return x.kind() == EventKind::kBreak && y.is_deliver() &&
           table_.sender(y.message()) == x.peer();
  };
  if (breaks(a, b) || breaks(b, a)) return false;
  const auto steps_a = table_.Successors(node, state, a);
  const auto steps_b = table_.Successors(node, state, b);
  for (size_t i = 0; i < steps_a.size(); ++i) {
    for (size_t j = 0; j < steps_b.size(); ++j) {
      const StateId after_a = steps_a[i].next;
      const StateId after_b = steps_b[j].next;
      if (!Enabled(node, after_a, b) || !Enabled(node, after_b, a)) return false;
      // The graphs have every real step: without both of these, a and b never wait together.
      if (!graphs_.HasEdge(node, after_a, b) || !graphs_.HasEdge(node, after_b, a)) continue;
      const auto then_b = table_.Successors(node, after_a, b);
      const auto then_a = table_.Successors(node, after_b, a);
      if (then_b.size() != steps_b.size() || then_a.size() != steps_a.size()) return false;
      if (then_b[j].next != then_a[i].next) return false;
      if (table_.Concatenate(steps_a[i].sends, then_b[j].sends) !=
          table_.Concatenate(steps_b[j].sends, then_a[i].sends)) {
        return false;
      }
    }
  }
  return true;
}

bool PersistentSets::Visible(NodeId node, StateId state, EventId event) {
  const uint32_t before = invariants_.Signature(node, state);
  for (const Step& step : table_.Successors(node, state, event)) {
    const uint32_t after = invariants_.Signature(node, step.next);
    if (after == before) continue;
    for (size_t i = 0; i < invariants_.count(); ++i) {
      if ((unstable_ >> i & 1) != 0 && invariants_.Key(i, before) != invariants_.Key(i, after)) {
        return true;
      }
    }
  }
  return false;
}

SlotSet PersistentSets::OwnConflicts(NodeId node, StateId state, EventId event) {
  SlotSet conflicts;
  if (unstable_ != 0 && Visible(node, state, event)) conflicts.Set(kVisible);
  for (const Step& step : table_.Successors(node, state, event)) {
    for (const model::Batch& batch : table_.Batches(step.sends)) {
      if (streams_) conflicts.Set(1 + batch.to.index());
    }
  }
  for (const EventId other : graphs_.Events(node, state)) {
    if (!CanPrecede(other, event) || Commute(node, state, event, other)) continue;
    conflicts.Set(nodes_[node.index()].number.at(other));
  }
  return conflicts;
}

void PersistentSets::FindConflicts(NodeId node) {
  Node& own = nodes_[node.index()];
  const auto states = graphs_.States(node);
  for (const StateId state : states) {
    for (const EventId event : graphs_.Events(node, state)) {
      if (IsFault(event)) continue;
      own.conflicts.emplace(Pair(state, event), OwnConflicts(node, state, event));
    }
  }
  // Later states first: most of what they say is then final when it is passed on.
  for (bool grew = true; grew;) {
    grew = false;
    for (auto state = states.rbegin(); state != states.rend(); ++state) {
      grew |= PassOn(node, *state);
    }
  }
}

// While an event waits the node moves on; what it conflicts with there, it conflicts with here.
bool PersistentSets::PassOn(NodeId node, StateId state) {
  Node& own = nodes_[node.index()];
  bool grew = false;
  for (const EventId event : graphs_.Events(node, state)) {
    if (IsFault(event)) continue;
    SlotSet& conflicts = own.conflicts.at(Pair(state, event));
    for (const EventId other : graphs_.Events(node, state)) {
      if (!CanPrecede(other, event)) continue;
      for (const Step& step : table_.Successors(node, state, other)) {
        const auto later = own.conflicts.find(Pair(step.next, event));
        if (later != own.conflicts.end()) grew |= conflicts.UnionWith(later->second);
      }
    }
  }
  return grew;
}

void PersistentSets::FindFuture(NodeId node) {
  Node& own = nodes_[node.index()];
  own.may_send.resize(table_.state_count(node));
  own.may_lose.resize(table_.state_count(node));
  const auto states = graphs_.States(node);
  for (bool grew = true; grew;) {
    grew = false;
    for (auto state = states.rbegin(); state != states.rend(); ++state) {
      grew |= ExtendFuture(node, *state);
    }
  }
}

bool PersistentSets::ExtendFuture(NodeId node, StateId state) {
  Node& own = nodes_[node.index()];
  SlotSet sends;
  SlotSet loses;
  for (const EventId event : graphs_.Events(node, state)) {
    if (event.kind() == EventKind::kBreak) loses.Set(event.peer().index());
    for (size_t n = 0; event.kind() == EventKind::kRestart && n < nodes_.size(); ++n) loses.Set(n);
    for (const Step& step : table_.Successors(node, state, event)) {
      for (const model::Batch& batch : table_.Batches(step.sends)) {
        for (const MessageId message : table_.Messages(batch.list)) sends.Set(message.index());
      }
      sends.UnionWith(own.may_send[step.next.index()]);
      loses.UnionWith(own.may_lose[step.next.index()]);
    }
  }
  const bool grew = own.may_send[state.index()].UnionWith(sends);
  return own.may_lose[state.index()].UnionWith(loses) || grew;
}

SlotSet PersistentSets::FutureMessages(const GlobalState& state) const {
  SlotSet future;
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    future.UnionWith(nodes_[n].may_send[state.state(NodeId(n)).index()]);
  }
  return future;
}

size_t PersistentSets::Choose(const GlobalState& state, std::vector<Move>& moves) {
  if (moves.size() <= 1) return moves.size();
  const SlotSet future = FutureMessages(state);
  best_.clear();
  for (size_t begin = 0; begin < moves.size();) {
    size_t end = begin;
    while (end < moves.size() && moves[end].node == moves[begin].node) ++end;
    const auto enabled = std::span<const Move>(moves).subspan(begin, end - begin);
    for (const Move& move : enabled) {
      if (IsFault(move.event) || best_.size() == 1) continue;
      candidate_.assign(1, move);
      if (!Close(state, future, enabled, candidate_)) continue;
      if (best_.empty() || candidate_.size() < best_.size()) best_ = candidate_;
    }
    begin = end;
  }
  if (best_.empty()) return moves.size();
  std::stable_partition(moves.begin(), moves.end(), [this](const Move& move) {
    return std::find(best_.begin(), best_.end(), move) != best_.end();
  });
  return best_.size();
}

// Adds to `chosen` whatever conflicts with it. False if that cannot be done with enabled events.
bool PersistentSets::Close(const GlobalState& state, const SlotSet& future,
                           std::span<const Move> enabled, std::vector<Move>& chosen) const {
  const NodeId node = chosen[0].node;
  const Node& own = nodes_[node.index()];
  for (size_t i = 0; i < chosen.size(); ++i) {
    const auto conflicts = own.conflicts.find(Pair(state.state(node), chosen[i].event));
    FORETELL_CHECK(conflicts != own.conflicts.end());
    bool closed = !conflicts->second.Test(kVisible);
    conflicts->second.ForEach([&](size_t number) {
      if (number == kVisible || !closed) return;
      closed = number <= nodes_.size()
                   ? !LostElsewhere(state, node, number - 1)
                   : AddConflict(state, future, enabled, own.events[number], chosen);
    });
    if (!closed) return false;
  }
  return true;
}

bool PersistentSets::LostElsewhere(const GlobalState& state, NodeId sender, size_t receiver) const {
  const StateId there = state.state(NodeId(static_cast<uint32_t>(receiver)));
  return nodes_[receiver].may_lose[there.index()].Test(sender.index());
}

bool PersistentSets::AddConflict(const GlobalState& state, const SlotSet& future,
                                 std::span<const Move> enabled, EventId other,
                                 std::vector<Move>& chosen) const {
  const NodeId node = chosen[0].node;
  EventId first = other;
  if (streams_ && other.is_deliver()) {
    // Whatever is at the head of that stream arrives before `other` does.
    for (const MessageId head : space_.mailboxes().Deliverable(node, state.mailbox(node))) {
      if (table_.sender(head) == table_.sender(other.message())) first = EventId::Deliver(head);
    }
  }
  const Move move{node, first};
  if (std::find(enabled.begin(), enabled.end(), move) == enabled.end()) {
    // Not enabled now. Harmless if it can never be; actions and faults may always come back.
    return other.is_deliver() && !future.Test(other.message().index());
  }
  if (IsFault(first)) return false;
  if (std::find(chosen.begin(), chosen.end(), move) == chosen.end()) chosen.push_back(move);
  return true;
}

uint64_t PersistentSets::bytes() const {
  uint64_t total = 0;
  for (const Node& node : nodes_) {
    total += node.conflicts.capacity() * (sizeof(std::pair<uint64_t, SlotSet>) + 1) +
             node.may_send.capacity() * sizeof(SlotSet);
  }
  return total;
}

}  // namespace foretell::search
