#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/check.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/search/graphs/slot_set.h"
#include "foretell/search/graphs/step_graph.h"

namespace foretell::search {

// Events of a node that cannot be exchanged, from ids: exactly, not by a conservative guess. Two
// events of a node commute if both orders reach the same state and send the same messages.
//
// A conflict set belongs to an event that waits in a state of its node. It holds what the event
// conflicts with in that state and in every state the node may pass through while it waits.
class Conflicts {
 public:
  // All but the budget outlive this. Only changes of what `unstable` invariants see
  // are visible.
  Conflicts(model::TransitionTable& table, model::InvariantTable& invariants,
            const StepGraph& graphs, model::InvariantSet unstable, model::Budget& budget);
  // True iff the budget lasted. If not, nothing below may be used.
  bool finished() const { return finished_; }

  // Members of a conflict set: is visible ...
  static constexpr size_t kVisible = 0;
  // ... or sends to a node, on streams, which may lose it ...
  bool IsReceiver(size_t member) const { return member > kVisible && member <= nodes_.size(); }
  model::NodeId ReceiverOf(size_t member) const {
    return model::NodeId(static_cast<uint32_t>(member - 1));
  }
  // ... or an event of the same node.
  model::EventId EventOf(model::NodeId node, size_t member) const {
    return nodes_[node.index()].events[member];
  }
  // The other way round; 0 if the graphs do not know it. All are below NumbersOf.
  size_t NumbersOf(model::NodeId node) const { return nodes_[node.index()].events.size(); }
  uint32_t NumberOf(model::NodeId node, model::EventId event) const;
  // The events of its sender, by number, of which some outcome sends `message`, in any state.
  const SlotSet& SendersOf(model::MessageId message) const { return senders_[message.index()]; }

  // REQUIRES: `event` is a delivery or an action that the graphs know in `state`.
  const SlotSet& Of(model::NodeId node, model::StateId state, model::EventId event) const;
  // The messages that the node may still send.
  const SlotSet& MaySend(model::NodeId node, model::StateId state) const {
    FORETELL_CHECK(state.index() < nodes_[node.index()].may_send.size());
    return nodes_[node.index()].may_send[state.index()];
  }
  // The nodes whose messages, sent on streams, may still be lost by a fault here.
  const SlotSet& MayLose(model::NodeId node, model::StateId state) const {
    FORETELL_CHECK(state.index() < nodes_[node.index()].may_lose.size());
    return nodes_[node.index()].may_lose[state.index()];
  }

  uint64_t bytes() const;

 private:
  struct Node {
    std::vector<model::EventId> events;  // By member.
    absl::flat_hash_map<model::EventId, uint32_t> number;
    absl::flat_hash_map<uint64_t, SlotSet> conflicts;  // By state and event.
    std::vector<SlotSet> may_send;                     // By state.
    std::vector<SlotSet> may_lose;                     // By state.
  };

  void NumberEvents(model::NodeId node);
  bool FindConflicts(model::NodeId node, model::Budget& budget);
  bool PassOn(model::NodeId node, model::StateId state);
  SlotSet OwnConflicts(model::NodeId node, model::StateId state, model::EventId event);
  bool Commute(model::NodeId node, model::StateId state, model::EventId a, model::EventId b);
  bool CanPrecede(model::EventId other, model::EventId event) const;
  bool Visible(model::NodeId node, model::StateId state, model::EventId event);
  void FindSenders(model::NodeId node);
  void FindFuture(model::NodeId node);
  bool ExtendFuture(model::NodeId node, model::StateId state);

  model::TransitionTable& table_;
  model::InvariantTable& invariants_;
  const StepGraph& graphs_;
  const model::InvariantSet unstable_;
  const bool streams_;
  bool finished_ = true;
  std::vector<Node> nodes_;
  std::vector<SlotSet> senders_;  // By message.
};

// Crash, restart, break.
bool IsFault(model::EventId event);
// True iff the event can happen in that state, provided that its message is there.
bool IsPossible(model::TransitionTable& table, model::NodeId node, model::StateId state,
                model::EventId event);

}  // namespace foretell::search
