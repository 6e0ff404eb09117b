#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/budget.h"
#include "foretell/model/engine/arena.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/search/graphs/step_graph.h"
#include "foretell/search/minimise/live_messages.h"

namespace foretell::search {

// Nodes with as few states as their behaviour needs (docs/decisions/0039-minimised-nodes.md).
//
// States of a node are one class if nothing can tell them apart: the same status, the same
// projections for all wanted invariants, the same events, and these send the same and lead to the
// same classes. A delivery that the graphs do not know cannot happen; it counts as one that does
// nothing, which makes more states alike. A class is named by its first state, so that whoever
// searches over classes goes on to use ids of states.
//
// As a StepGraph: the classes, with the events of all their members.
class MinimisedNodes final : public StepGraph {
 public:
  // REQUIRES: `graphs` holds all that can happen. Null if the budget does not last. The tables
  // outlive the result; the graphs need not.
  static std::unique_ptr<MinimisedNodes> Make(model::TransitionTable& table,
                                              model::InvariantTable& invariants,
                                              const StepGraph& graphs, model::InvariantSet wanted,
                                              Inert inert, model::Budget& budget);

  // The state that stands for the class of `state`. REQUIRES: the graphs know `state`.
  model::StateId ClassOf(model::NodeId node, model::StateId state) const {
    return nodes_[node.index()].class_of[state.index()];
  }
  const LiveMessages& live() const { return *live_; }

  std::span<const model::StateId> States(model::NodeId node) const override {
    return nodes_[node.index()].classes;
  }
  std::span<const model::EventId> Events(model::NodeId node, model::StateId state) const override {
    return nodes_[node.index()].events[state.index()];
  }
  bool HasEdge(model::NodeId node, model::StateId state, model::EventId event) const override {
    return nodes_[node.index()].steps.contains(model::PairKey(state.value(), event.value()));
  }
  std::span<const model::Step> Successors(model::NodeId node, model::StateId state,
                                          model::EventId event) const override;

  uint64_t class_count() const;
  uint64_t bytes() const;

 private:
  struct Node {
    std::vector<model::StateId> classes;
    std::vector<model::StateId> class_of;             // By state.
    std::vector<std::vector<model::EventId>> events;  // By state, of classes only.
    absl::flat_hash_map<uint64_t, std::span<const model::Step>> steps;  // By class and event.
  };

  MinimisedNodes(model::TransitionTable& table, model::InvariantTable& invariants,
                 model::InvariantSet wanted)
      : table_(table), invariants_(invariants), wanted_(wanted), nodes_(table.node_count()) {}
  bool Divide(const StepGraph& graphs, model::NodeId node, model::Budget& budget);
  void AddSteps(const StepGraph& graphs, model::NodeId node, model::StateId state);

  model::TransitionTable& table_;
  model::InvariantTable& invariants_;
  const model::InvariantSet wanted_;
  std::vector<Node> nodes_;
  model::Arena<model::Step> arena_;
  std::optional<LiveMessages> live_;
};

}  // namespace foretell::search
