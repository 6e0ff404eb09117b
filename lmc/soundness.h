#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "foretell/lmc/goal.h"
#include "foretell/model/budget.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/search/explorers.h"
#include "foretell/search/global_space.h"
#include "foretell/search/graphs/slot_set.h"
#include "foretell/search/graphs/step_graph.h"
#include "foretell/search/state_search.h"
#include "foretell/search/verdict.h"

namespace foretell::lmc {

// Soundness verification (LMC section 4.1, isStateSound) without enumerating paths. A goal is
// first tried on the graphs alone: with no node leaving the ancestors of the goal, can its
// messages still be produced? What survives is looked for by one forward search over node states
// and network, reduced, that gives up every state from which no goal can be reached any more.
class Soundness {
 public:
  // Of the graphs as they are now: once they have grown, it takes another one. They have the
  // states that `space` has: classes, if that is minimised. `quotient` is null unless they hold all
  // that can happen: else the image of a state may be one that they do not know.
  Soundness(search::GlobalSpace& space, model::InvariantTable& invariants,
            const search::StepGraph& graphs, search::Quotient* quotient = nullptr);

  struct Answer {
    // Every goal is among the findings' invariants, or the graphs have no way to it. That rules it
    // out for good only if they hold all that can happen.
    bool settled = false;
    std::vector<search::Finding> findings;
    uint64_t checks = 0;         // Goals looked at.
    uint64_t rejections = 0;     // Goals shown to be impossible.
    uint64_t transitions = 0;    // That the search followed ...
    uint64_t global_states = 0;  // ... and the states it visited.
    uint64_t bytes = 0;
  };
  Answer Verify(const search::GlobalState& start, const std::set<Goal>& goals,
                const search::SearchOptions& options, model::Budget& budget);

 private:
  using States = std::vector<bool>;                         // By state.
  using Alive = std::vector<std::vector<search::SlotSet>>;  // By node and state: goals.
  struct NodeStep {
    model::EventId event;
    model::StateId next;
    model::SendsId sends;
  };
  // A node's graph as a list, because every goal goes through it: the steps from its states, in
  // the order of NodeGraphs::States.
  struct NodeSteps {
    std::vector<NodeStep> all;
    std::vector<size_t> ends;  // By the place of a state in that order: where its steps end.
  };
  NodeSteps StepsOf(model::NodeId node) const;
  std::span<const NodeStep> StepsAt(model::NodeId node, size_t place) const;

  bool Wanted(model::NodeId node, model::StateId state, size_t invariant, uint32_t key) const;
  // States of `node` from which it can still come to `key`. Null if the budget ended it.
  const States* Ancestors(model::NodeId node, size_t invariant, uint32_t key,
                          model::Budget& budget);
  bool LeadsTo(model::NodeId node, size_t place, const States& states) const;
  // The ancestors of a goal, by node. Empty if the budget ended it.
  std::vector<const States*> AncestorsOf(const Goal& goal, model::Budget& budget);
  bool Producible(const search::GlobalState& start, const Goal& goal,
                  const std::vector<const States*>& ancestors, model::Budget& budget) const;
  // One node's part of Producible: takes what is available, adds what it reaches and sends.
  bool Produce(model::NodeId node, const States& ancestors, States& reached,
               search::SlotSet& available) const;
  // Tries the goals on the graphs alone. Those that survive are entered in `alive`; returns the
  // invariants they break.
  model::InvariantSet Sift(const search::GlobalState& start, const std::set<Goal>& goals,
                           Alive& alive, Answer& answer, model::Budget& budget);

  search::GlobalSpace& space_;
  model::TransitionTable& table_;
  model::InvariantTable& invariants_;
  const search::StepGraph& graphs_;
  search::Quotient* const quotient_;
  std::vector<NodeSteps> steps_;  // By node.
  std::map<std::tuple<uint32_t, size_t, uint32_t>, States> ancestors_;
};

}  // namespace foretell::lmc
