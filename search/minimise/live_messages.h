#pragma once

#include <cstdint>
#include <vector>

#include "foretell/model/engine/transition_table.h"
#include "foretell/search/graphs/slot_set.h"
#include "foretell/search/graphs/step_graph.h"

namespace foretell::search {

// What becomes of messages that are inert.
enum class Inert : uint8_t {
  kDropped,
  kKept,  // Whoever counts steps counts their delivery.
};

// The messages that can still make a difference, by node and state. All others are inert: in no
// state that the node may come to does one of them change anything or send anything.
class LiveMessages {
 public:
  // Sets of messages are numbered per node; this one has all of them.
  static constexpr uint32_t kEverything = 0;

  // If `ends` are looked at, nothing is inert in a state from which the node may come to one that
  // accepts no messages: what is in flight to such a node keeps the system from coming to an end.
  // The graph outlives this.
  LiveMessages(const model::TransitionTable& table, const StepGraph& graph, bool ends, Inert inert);

  bool ends() const { return ends_; }
  uint32_t SetOf(model::NodeId node, model::StateId state) const {
    return nodes_[node.index()].set_of[state.index()];
  }
  bool IsLive(model::NodeId node, uint32_t set, model::MessageId message) const {
    return set == kEverything || nodes_[node.index()].sets[set].Test(message.index());
  }
  uint64_t bytes() const;

 private:
  struct Node {
    std::vector<SlotSet> sets;     // By number.
    std::vector<uint32_t> set_of;  // By state.
  };
  void Find(model::NodeId node);

  const model::TransitionTable& table_;
  const StepGraph& graph_;
  const bool ends_;
  const Inert inert_;
  std::vector<Node> nodes_;
};

}  // namespace foretell::search
