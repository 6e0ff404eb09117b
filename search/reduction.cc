#include "foretell/search/reduction.h"

#include <algorithm>

namespace foretell::search {

using model::EventId;
using model::InvariantSet;
using model::MessageId;
using model::NodeId;

namespace {

bool AnyMayFail(const model::TransitionTable& table, const NodeGraphs& graphs) {
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
                      const NodeGraphs& graphs, InvariantSet wanted) {
  const bool may_fail = AnyMayFail(table, graphs);
  InvariantSet unstable = 0;
  for (size_t i = 0; i < invariants.count(); ++i) {
    const bool stable = invariants.info(i).stable && (!may_fail || i == invariants.assertions());
    // Of terminal states none is lost.
    if (!stable && !invariants.info(i).when_stuck) unstable |= wanted & InvariantSet{1} << i;
  }
  return unstable;
}

// Whether a way through the graph of `node` leads back to a state that it has left, or stays where
// it is and sends. Otherwise what a node does is at its end after so many steps, and so is the
// system: whatever is left then only takes messages out of flight.
class Returns {
 public:
  Returns(model::TransitionTable& table, const NodeGraphs& graphs, NodeId node)
      : table_(table), graphs_(graphs), node_(node), marks_(table.state_count(node), Mark::kNew) {}

  bool Any() {
    const auto states = graphs_.States(node_);
    return std::any_of(states.begin(), states.end(),
                       [this](model::StateId state) { return From(state); });
  }

 private:
  enum class Mark : uint8_t { kNew, kOnTheWay, kDone };

  // On a stack of its own: graphs can be deep.
  bool From(model::StateId start) {
    std::vector<model::StateId> stack = {start};
    while (!stack.empty()) {
      const model::StateId state = stack.back();
      Mark& mark = marks_[state.index()];
      if (mark != Mark::kNew) {
        mark = Mark::kDone;
        stack.pop_back();
        continue;
      }
      mark = Mark::kOnTheWay;
      if (!PushNext(state, stack)) return true;
    }
    return false;
  }

  bool PushNext(model::StateId state, std::vector<model::StateId>& stack) {
    for (const EventId event : graphs_.Events(node_, state)) {
      for (const model::Step& step : table_.Successors(node_, state, event)) {
        const bool stays = step.next == state;
        if (stays && step.sends != model::SendsId(0)) return false;
        if (stays || marks_[step.next.index()] == Mark::kDone) continue;
        if (marks_[step.next.index()] == Mark::kOnTheWay) return false;
        stack.push_back(step.next);
      }
    }
    return true;
  }

  model::TransitionTable& table_;
  const NodeGraphs& graphs_;
  const NodeId node_;
  std::vector<Mark> marks_;
};

bool AnyReturns(model::TransitionTable& table, const NodeGraphs& graphs) {
  for (uint32_t n = 0; n < table.node_count(); ++n) {
    if (Returns(table, graphs, NodeId(n)).Any()) return true;
  }
  return false;
}

}  // namespace

PersistentSets::PersistentSets(GlobalSpace& space, model::InvariantTable& invariants,
                               const NodeGraphs& graphs, InvariantSet wanted, model::Budget& budget,
                               const MoveFilter* only)
    : space_(space),
      streams_(space.table().service().network().kind == model::NetworkKind::kStreams),
      may_return_(AnyReturns(space.table(), graphs)),
      conflicts_(space.table(), invariants, graphs,
                 Unstable(space.table(), invariants, graphs, wanted), budget) {
  if (only != nullptr) Bar(*only, graphs);
}

// What an event may turn out to be is asked of all states of its node, because it may wait in them.
void PersistentSets::Bar(const MoveFilter& only, const NodeGraphs& graphs) {
  model::TransitionTable& table = space_.table();
  for (uint32_t n = 0; n < table.node_count(); ++n) {
    for (const model::StateId state : graphs.States(NodeId(n))) {
      for (const EventId event : graphs.Events(NodeId(n), state)) {
        const auto steps = table.Successors(NodeId(n), state, event);
        const bool all = std::all_of(steps.begin(), steps.end(), [&](const model::Step& step) {
          return only.Follows(event, step);
        });
        if (!all) barred_.insert(model::PairKey(n, event.value()));
      }
    }
  }
}

std::unique_ptr<PersistentSets> PersistentSets::Make(GlobalSpace& space,
                                                     model::InvariantTable& invariants,
                                                     const NodeGraphs& graphs, InvariantSet wanted,
                                                     model::Budget& budget,
                                                     const MoveFilter* only) {
  std::unique_ptr<PersistentSets> sets(
      new PersistentSets(space, invariants, graphs, wanted, budget, only));
  if (!sets->conflicts_.finished()) return nullptr;
  return sets;
}

bool PersistentSets::Eligible(const Move& move) const {
  return !IsFault(move.event) &&
         !barred_.contains(model::PairKey(move.node.value(), move.event.value()));
}

SlotSet PersistentSets::FutureMessages(const GlobalState& state) const {
  SlotSet future;
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    future.UnionWith(conflicts_.MaySend(NodeId(n), state.state(NodeId(n))));
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
      if (best_.size() == 1 || !Eligible(move)) continue;
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
  for (size_t i = 0; i < chosen.size(); ++i) {
    const SlotSet& conflicts = conflicts_.Of(node, state.state(node), chosen[i].event);
    bool closed = !conflicts.Test(Conflicts::kVisible);
    conflicts.ForEach([&](size_t member) {
      if (!closed) return;
      closed = conflicts_.IsReceiver(member)
                   ? !LostElsewhere(state, node, conflicts_.ReceiverOf(member))
                   : AddConflict(state, future, enabled, conflicts_.EventOf(node, member), chosen);
    });
    if (!closed) return false;
  }
  return true;
}

bool PersistentSets::LostElsewhere(const GlobalState& state, NodeId sender, NodeId receiver) const {
  return conflicts_.MayLose(receiver, state.state(receiver)).Test(sender.index());
}

bool PersistentSets::AddConflict(const GlobalState& state, const SlotSet& future,
                                 std::span<const Move> enabled, EventId other,
                                 std::vector<Move>& chosen) const {
  const NodeId node = chosen[0].node;
  EventId first = other;
  if (streams_ && other.is_deliver()) {
    // Whatever is at the head of that stream arrives before `other` does.
    for (const MessageId head : space_.mailboxes().Deliverable(node, state.mailbox(node))) {
      if (space_.table().sender(head) == space_.table().sender(other.message()))
        first = EventId::Deliver(head);
    }
  }
  const Move move{node, first};
  if (std::find(enabled.begin(), enabled.end(), move) == enabled.end()) {
    // Not enabled now. Harmless if it can never be; actions and faults may always come back.
    return other.is_deliver() && !future.Test(other.message().index());
  }
  if (!Eligible(move)) return false;
  if (std::find(chosen.begin(), chosen.end(), move) == chosen.end()) chosen.push_back(move);
  return true;
}

}  // namespace foretell::search
