#include "foretell/search/reduction.h"

#include <algorithm>

namespace foretell::search {

using model::EventId;
using model::InvariantSet;
using model::MessageId;
using model::NodeId;

namespace {

bool AnyMayFail(const model::TransitionTable& table, const StepGraph& graphs) {
  for (uint32_t n = 0; n < table.node_count(); ++n) {
    for (const model::StateId state : graphs.States(NodeId(n))) {
      if (table.status(NodeId(n), state) == model::NodeStatus::kFailed) return true;
    }
  }
  return false;
}

// A node that fails is not seen by the service's invariants any more: where that may happen, none
// of them is stable, whatever its author says.
InvariantSet Unstable(const model::TransitionTable& table, const model::InvariantTable& invariants,
                      const StepGraph& graphs, InvariantSet wanted) {
  const bool may_fail = AnyMayFail(table, graphs);
  InvariantSet unstable = 0;
  for (size_t i = 0; i < invariants.count(); ++i) {
    const bool stable = invariants.info(i).stable && (!may_fail || i == invariants.assertions());
    // Of terminal states none is lost.
    if (!stable && !invariants.info(i).when_stuck) unstable |= wanted & InvariantSet{1} << i;
  }
  return unstable;
}

// Whether a system state may come back after it was left. In a run that leads from a state back to
// it, every node comes back to its own state, and every message that is delivered is sent again.
// So steps of nodes are taken away that cannot be part of it, until none is left or nothing
// changes: those that lead from where no other leads to, or to where no other leads on, and
// deliveries of what no other sends.
class Returns {
 public:
  Returns(model::TransitionTable& table, const StepGraph& graphs) : table_(table) {
    senders_.resize(table.message_count());
    for (uint32_t n = 0; n < table.node_count(); ++n) Collect(graphs, NodeId(n));
  }

  bool Any() {
    for (bool fewer = true; fewer;) {
      const size_t before = steps_.size();
      std::erase_if(steps_, [this](const NodeStep& step) {
        if (!IsOver(step)) return false;
        Count(step, -1);
        return true;
      });
      fewer = steps_.size() < before;
    }
    return !steps_.empty();
  }

 private:
  struct NodeStep {
    uint32_t from;  // States of all nodes have numbers of their own here.
    uint32_t to;
    EventId event;
    model::SendsId sends;
  };

  void Collect(const StepGraph& graphs, NodeId node) {
    const auto first = static_cast<uint32_t>(arrivals_.size());
    arrivals_.resize(first + table_.state_count(node));
    departures_.resize(arrivals_.size());
    for (const model::StateId state : graphs.States(node)) {
      for (const EventId event : graphs.Events(node, state)) {
        for (const model::Step& step : graphs.Successors(node, state, event)) {
          const bool nothing = step.next == state && step.sends == model::SendsId(0);
          // The search sees by itself where a system state is its own successor.
          if (nothing && !event.is_deliver()) continue;
          steps_.push_back({first + state.value(), first + step.next.value(), event, step.sends});
          Count(steps_.back(), 1);
        }
      }
    }
  }

  void Count(const NodeStep& step, int32_t by) {
    if (step.from != step.to) {
      arrivals_[step.to] += by;
      departures_[step.from] += by;
    }
    for (const model::Batch& batch : table_.Batches(step.sends)) {
      for (const MessageId message : table_.Messages(batch.list)) senders_[message.index()] += by;
    }
  }

  bool IsOver(const NodeStep& step) const {
    if (step.event.is_deliver() && senders_[step.event.message().index()] == 0) return true;
    return step.from != step.to && (arrivals_[step.from] == 0 || departures_[step.to] == 0);
  }

  model::TransitionTable& table_;
  std::vector<NodeStep> steps_;
  std::vector<int32_t> arrivals_;    // By state: steps from others that are left,
  std::vector<int32_t> departures_;  // and to others.
  std::vector<int32_t> senders_;     // By message.
};

}  // namespace

PersistentSets::PersistentSets(GlobalSpace& space, model::InvariantTable& invariants,
                               const StepGraph& graphs, InvariantSet wanted, model::Budget& budget,
                               const MoveFilter* only)
    : space_(space),
      may_return_(Returns(space.table(), graphs).Any()),
      conflicts_(space.table(), invariants, graphs,
                 Unstable(space.table(), invariants, graphs, wanted), budget),
      closed_(space, conflicts_) {
  if (only != nullptr) {
    Bar(*only, graphs);
  } else {
    stubborn_.emplace(space_, conflicts_);
  }
}

// What an event may turn out to be is asked of all states of its node, because it may wait in them.
void PersistentSets::Bar(const MoveFilter& only, const StepGraph& graphs) {
  model::TransitionTable& table = space_.table();
  for (uint32_t n = 0; n < table.node_count(); ++n) {
    for (const model::StateId state : graphs.States(NodeId(n))) {
      for (const EventId event : graphs.Events(NodeId(n), state)) {
        const auto steps = graphs.Successors(NodeId(n), state, event);
        const bool all = std::all_of(steps.begin(), steps.end(), [&](const model::Step& step) {
          return only.Follows(event, step);
        });
        if (!all) closed_.Bar(NodeId(n), event);
      }
    }
  }
}

std::unique_ptr<PersistentSets> PersistentSets::Make(GlobalSpace& space,
                                                     model::InvariantTable& invariants,
                                                     const StepGraph& graphs, InvariantSet wanted,
                                                     model::Budget& budget,
                                                     const MoveFilter* only) {
  std::unique_ptr<PersistentSets> sets(
      new PersistentSets(space, invariants, graphs, wanted, budget, only));
  if (!sets->conflicts_.finished()) return nullptr;
  return sets;
}

// Whether nothing that the other nodes may do stands against `set` of `node`.
bool PersistentSets::Holds(const ClosedSet& set, const GlobalState& state, NodeId node) const {
  for (uint32_t n = 0; n < state.node_count() && !set.absent.empty(); ++n) {
    if (conflicts_.MaySend(NodeId(n), state.state(NodeId(n))).Intersects(set.absent)) return false;
  }
  bool holds = true;
  set.receivers.ForEach([&](size_t n) {
    const NodeId receiver(static_cast<uint32_t>(n));
    holds = holds && !conflicts_.MayLose(receiver, state.state(receiver)).Test(node.index());
  });
  return holds;
}

// The smallest one, and of these the first.
size_t PersistentSets::Choose(const GlobalState& state, std::vector<Move>& moves) {
  if (moves.size() <= 1) return moves.size();
  const ClosedSet* best = nullptr;
  size_t best_begin = 0;
  for (size_t begin = 0; begin < moves.size() && (best == nullptr || best->size > 1);) {
    size_t end = begin;
    while (end < moves.size() && moves[end].node == moves[begin].node) ++end;
    const auto enabled = std::span<const Move>(moves).subspan(begin, end - begin);
    for (const ClosedSet& set : closed_.Of(state, enabled)) {
      if (best != nullptr && set.size >= best->size) continue;
      if (!Holds(set, state, enabled[0].node)) continue;
      best = &set;
      best_begin = begin;
    }
    begin = end;
  }
  if (best == nullptr) return ChooseOfSeveral(state, moves);
  MoveToFront(best->places, best_begin, moves);
  return best->size;
}

size_t PersistentSets::ChooseOfSeveral(const GlobalState& state, std::vector<Move>& moves) {
  if (!stubborn_) return moves.size();
  const auto places = stubborn_->Of(state, moves);
  if (!places) return moves.size();
  MoveToFront(*places, 0, moves);
  return front_.size();
}

// The others keep their order.
void PersistentSets::MoveToFront(const SlotSet& places, size_t begin, std::vector<Move>& moves) {
  front_.clear();
  places.ForEach([&](size_t place) { front_.push_back(moves[begin + place]); });
  size_t rest = moves.size();
  for (size_t i = moves.size(); i-- > 0;) {
    const bool chosen = i >= begin && places.Test(i - begin);
    if (!chosen) moves[--rest] = moves[i];
  }
  std::copy(front_.begin(), front_.end(), moves.begin());
}

}  // namespace foretell::search
