#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "foretell/search/graphs/node_graphs.h"
#include "foretell/search/recovery/recovery_moves.h"
#include "foretell/search/reduction.h"

namespace foretell::search {

// Partial-order reduction that keeps some dead state reachable, if there is one: persistent sets as
// of engine `por`, but without regard to what the predicate sees. Why that is enough: dead is
// stable under what recovery counts on. Let a way w lead to a dead state d, and let T be the set
// that was chosen. If w has an event of T, the first of them can be moved to the front. If not, any
// t of T can be put in front, which leads to where t leads from d: still dead, as long as recovery
// counts on t, whatever it turns out to be. A state that is not expanded in full has a successor by
// T that is expanded later, so that one that is comes at last, and w gets shorter.
//
// Not kept: shortest ways, all kinds of critical transitions, cycles, and, on datagrams, all
// combinations of node states, and so what is dead by loss (docs/decisions/0035). Whether a state
// that was reached is dead cannot be told from the reduced space either: see Fates.
class DeathSets final : public Reduction {
 public:
  // All outlive this.
  DeathSets(GlobalSpace& space, model::InvariantTable& invariants, RecoveryMoves& moves)
      : space_(space), invariants_(invariants), moves_(moves) {}

  // Before the search. False if what nodes may do could not be closed within the budget: then
  // nothing is reduced.
  bool Prepare(const model::SystemCut& start, model::Budget& budget);
  bool reduces() const { return sets_ != nullptr; }

  size_t Choose(const GlobalState& state, std::vector<Move>& moves) override {
    return sets_ ? sets_->Choose(state, moves) : moves.size();
  }

 private:
  GlobalSpace& space_;
  model::InvariantTable& invariants_;
  RecoveryMoves& moves_;
  std::optional<NodeGraphs> graphs_;
  std::unique_ptr<PersistentSets> sets_;
};

}  // namespace foretell::search
