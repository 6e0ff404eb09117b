#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "foretell/lmc/goal.h"
#include "foretell/model/budget.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/search/explorers.h"
#include "foretell/search/global_space.h"
#include "foretell/search/node_graphs.h"
#include "foretell/search/slot_set.h"
#include "foretell/search/state_search.h"
#include "foretell/search/verdict.h"

namespace foretell::lmc {

// Soundness verification (LMC section 4.1, isStateSound) without enumerating paths. A goal is
// first tried on the graphs alone: with no node leaving the ancestors of the goal, can its
// messages still be produced? What survives is looked for by one forward search over node states
// and network, reduced, that gives up every state from which no goal can be reached any more.
class Soundness {
 public:
  Soundness(search::GlobalSpace& space, model::InvariantTable& invariants,
            const search::NodeGraphs& graphs);

  struct Answer {
    bool settled = false;  // Every goal is either among the findings' invariants or impossible.
    std::vector<search::Finding> findings;
    uint64_t checks = 0;         // Goals looked at.
    uint64_t rejections = 0;     // Goals shown to be impossible.
    uint64_t transitions = 0;    // That the search followed ...
    uint64_t global_states = 0;  // ... and the states it visited.
    uint64_t bytes = 0;
  };
  // `closed`: the graphs hold all that can happen. Without it an answer can be found but none
  // ruled out for good.
  Answer Verify(const search::GlobalState& start, const std::set<Goal>& goals, bool closed,
                const search::SearchOptions& options, model::Budget& budget);

 private:
  using States = std::vector<bool>;                         // By state.
  using Alive = std::vector<std::vector<search::SlotSet>>;  // By node and state: goals.

  bool Wanted(model::NodeId node, model::StateId state, size_t invariant, uint32_t key) const;
  // States of `node` from which it can still come to `key`. Null if the budget ended it.
  const States* Ancestors(model::NodeId node, size_t invariant, uint32_t key,
                          model::Budget& budget);
  bool LeadsTo(model::NodeId node, model::StateId state, const States& states) const;
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
  const search::NodeGraphs& graphs_;
  std::map<std::tuple<uint32_t, size_t, uint32_t>, States> ancestors_;
};

}  // namespace foretell::lmc
