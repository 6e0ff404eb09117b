#include "foretell/search/conflicts.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::search {

using model::EventId;
using model::EventKind;
using model::MessageId;
using model::NodeId;
using model::StateId;
using model::Step;
using model::StreamLoss;

namespace {

uint64_t Key(StateId state, EventId event) { return model::PairKey(state.value(), event.value()); }

StreamLoss LossOf(EventId event) { return model::InfoOf(event.kind()).loses; }

}  // namespace

bool IsFault(EventId event) {
  return event.kind() != EventKind::kDeliver && event.kind() != EventKind::kAction;
}

bool IsPossible(model::TransitionTable& table, NodeId node, StateId state, EventId event) {
  if (event.is_deliver()) return table.Accepts(node, state);
  const auto local = table.LocalEvents(node, state);
  return std::find(local.begin(), local.end(), event) != local.end();
}

Conflicts::Conflicts(model::TransitionTable& table, model::InvariantTable& invariants,
                     const StepGraph& graphs, model::InvariantSet unstable, model::Budget& budget)
    : table_(table),
      invariants_(invariants),
      graphs_(graphs),
      unstable_(unstable),
      streams_(table.service().network().kind == model::NetworkKind::kStreams),
      nodes_(table.node_count()),
      senders_(table.message_count()) {
  for (uint32_t n = 0; n < nodes_.size() && finished_; ++n) {
    NumberEvents(NodeId(n));
    FindSenders(NodeId(n));
    FindFuture(NodeId(n));
    finished_ = FindConflicts(NodeId(n), budget);
  }
}

const SlotSet& Conflicts::Of(NodeId node, StateId state, EventId event) const {
  const auto& conflicts = nodes_[node.index()].conflicts;
  const auto found = conflicts.find(Key(state, event));
  // An enabled event that the graphs do not know would mean that they are no superset.
  FORETELL_CHECK(found != conflicts.end());
  return found->second;
}

uint32_t Conflicts::NumberOf(NodeId node, EventId event) const {
  const auto found = nodes_[node.index()].number.find(event);
  return found == nodes_[node.index()].number.end() ? 0 : found->second;
}

void Conflicts::NumberEvents(NodeId node) {
  Node& own = nodes_[node.index()];
  own.events.resize(1 + nodes_.size());  // Numbers that stand for no event.
  for (const StateId state : graphs_.States(node)) {
    for (const EventId event : graphs_.Events(node, state)) {
      const auto number = static_cast<uint32_t>(own.events.size());
      if (own.number.try_emplace(event, number).second) own.events.push_back(event);
    }
  }
}

void Conflicts::FindSenders(NodeId node) {
  for (const StateId state : graphs_.States(node)) {
    for (const EventId event : graphs_.Events(node, state)) {
      for (const Step& step : graphs_.Successors(node, state, event)) {
        for (const model::Batch& batch : table_.Batches(step.sends)) {
          for (const MessageId message : table_.Messages(batch.list)) {
            senders_[message.index()].Set(nodes_[node.index()].number.at(event));
          }
        }
      }
    }
  }
}

// While `event` waits, can `other` happen at the same node? On a stream nothing overtakes.
bool Conflicts::CanPrecede(EventId other, EventId event) const {
  if (other == event) return false;
  return !streams_ || !other.is_deliver() || !event.is_deliver() ||
         table_.sender(other.message()) != table_.sender(event.message());
}

bool Conflicts::Commute(NodeId node, StateId state, EventId a, EventId b) {
  // A break takes away what its stream would have delivered.
  const auto breaks = [&](EventId x, EventId y) {
    return LossOf(x) == StreamLoss::kFromPeer && y.is_deliver() &&
           table_.sender(y.message()) == x.peer();
  };
  if (breaks(a, b) || breaks(b, a)) return false;
  const auto steps_a = graphs_.Successors(node, state, a);
  const auto steps_b = graphs_.Successors(node, state, b);
  for (size_t i = 0; i < steps_a.size(); ++i) {
    for (size_t j = 0; j < steps_b.size(); ++j) {
      const StateId after_a = steps_a[i].next;
      const StateId after_b = steps_b[j].next;
      if (!IsPossible(table_, node, after_a, b) || !IsPossible(table_, node, after_b, a)) {
        return false;
      }
      // The graphs have every real step: without both of these, a and b never wait together.
      if (!graphs_.HasEdge(node, after_a, b) || !graphs_.HasEdge(node, after_b, a)) continue;
      const auto then_b = graphs_.Successors(node, after_a, b);
      const auto then_a = graphs_.Successors(node, after_b, a);
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

bool Conflicts::Visible(NodeId node, StateId state, EventId event) {
  const uint32_t before = invariants_.Signature(node, state);
  for (const Step& step : graphs_.Successors(node, state, event)) {
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

SlotSet Conflicts::OwnConflicts(NodeId node, StateId state, EventId event) {
  SlotSet conflicts;
  if (unstable_ != 0 && Visible(node, state, event)) conflicts.Set(kVisible);
  for (const Step& step : graphs_.Successors(node, state, event)) {
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

bool Conflicts::FindConflicts(NodeId node, model::Budget& budget) {
  Node& own = nodes_[node.index()];
  const auto states = graphs_.States(node);
  for (const StateId state : states) {
    for (const EventId event : graphs_.Events(node, state)) {
      if (IsFault(event)) continue;
      if (!budget.TakeStep()) return false;
      own.conflicts.emplace(Key(state, event), OwnConflicts(node, state, event));
    }
  }
  // Later states first: most of what they say is then final when it is passed on.
  for (bool grew = true; grew;) {
    grew = false;
    for (auto state = states.rbegin(); state != states.rend(); ++state) {
      if (!budget.TakeStep()) return false;
      grew |= PassOn(node, *state);
    }
  }
  return true;
}

// While an event waits the node moves on; what it conflicts with there, it conflicts with here.
bool Conflicts::PassOn(NodeId node, StateId state) {
  Node& own = nodes_[node.index()];
  bool grew = false;
  for (const EventId event : graphs_.Events(node, state)) {
    if (IsFault(event)) continue;
    SlotSet& conflicts = own.conflicts.at(Key(state, event));
    for (const EventId other : graphs_.Events(node, state)) {
      if (!CanPrecede(other, event)) continue;
      for (const Step& step : graphs_.Successors(node, state, other)) {
        const auto later = own.conflicts.find(Key(step.next, event));
        if (later != own.conflicts.end()) grew |= conflicts.UnionWith(later->second);
      }
    }
  }
  return grew;
}

void Conflicts::FindFuture(NodeId node) {
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

bool Conflicts::ExtendFuture(NodeId node, StateId state) {
  Node& own = nodes_[node.index()];
  SlotSet sends;
  SlotSet loses;
  for (const EventId event : graphs_.Events(node, state)) {
    const StreamLoss loss = LossOf(event);
    if (loss == StreamLoss::kFromPeer) loses.Set(event.peer().index());
    for (size_t n = 0; loss == StreamLoss::kAll && n < nodes_.size(); ++n) loses.Set(n);
    for (const Step& step : graphs_.Successors(node, state, event)) {
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

uint64_t Conflicts::bytes() const {
  uint64_t total = 0;
  for (const Node& node : nodes_) {
    total += node.conflicts.capacity() * (sizeof(std::pair<uint64_t, SlotSet>) + 1) +
             (node.may_send.capacity() + node.may_lose.capacity()) * sizeof(SlotSet);
  }
  return total;
}

}  // namespace foretell::search
