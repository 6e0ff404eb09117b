#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "lmc/goal.h"
#include "model/budget.h"
#include "model/invariant_table.h"
#include "search/explorers.h"
#include "search/global_space.h"
#include "search/node_graphs.h"
#include "search/state_search.h"
#include "search/verdict.h"

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
    uint64_t checks = 0;      // Goals looked at.
    uint64_t rejections = 0;  // Goals shown to be impossible.
    uint64_t transitions = 0;
    uint64_t global_states = 0;
    uint64_t depth = 0;
    uint64_t bytes = 0;
  };
  // `closed`: the graphs hold all that can happen. Without it an answer can be found but none
  // ruled out for good.
  Answer Verify(const search::GlobalState& start, const std::set<Goal>& goals, bool closed,
                const search::SearchOptions& options, model::Budget& budget);

 private:
  using States = std::vector<bool>;  // By state.
  bool Wanted(model::NodeId node, model::StateId state, const Goal& goal) const;
  // States of `node` from which it can still satisfy its part of `goal`.
  States Ancestors(model::NodeId node, const Goal& goal) const;
  bool Producible(const search::GlobalState& start, const Goal& goal,
                  const std::vector<States>& ancestors) const;

  search::GlobalSpace& space_;
  model::TransitionTable& table_;
  model::InvariantTable& invariants_;
  const search::NodeGraphs& graphs_;
};

}  // namespace foretell::lmc
