#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "foretell/model/engine/invariant_table.h"
#include "foretell/search/closed_sets.h"
#include "foretell/search/conflicts.h"
#include "foretell/search/global_space.h"
#include "foretell/search/graphs/step_graph.h"
#include "foretell/search/state_search.h"
#include "foretell/search/stubborn_sets.h"

namespace foretell::search {

// Partial-order reduction on ids. In a global state it picks events of one node, or of several,
// that can be taken alone: a persistent set T, such that whatever may happen before the first event
// of T commutes with all of T (search/conflicts.h).
//
// Why that is enough. Events of different nodes commute: each changes its own node and only adds
// to the mailboxes of others. (One exception: on streams, a restart or break loses what others
// sent before it.) At the node itself, which events fail to commute is known exactly, from ids. T
// is closed under that relation, taken over every state the node may pass through while T waits
// (search/graphs/node_graphs.h), and over every event that is enabled now or may still be made
// possible by what any node may still send. If such an event is not enabled yet, T is given up, or,
// where no T of one node holds, gets what has to happen before (search/stubborn_sets.h).
//
// Side conditions, all checked below:
//  - faults are never in T, and a T that conflicts with one is given up, be it at another node;
//  - unless every wanted invariant is stable, no event of T may change what an unstable one sees,
//    in any state in which it may happen (visibility);
//  - an event must not be put off for ever: the search follows everything from a state whose T
//    leads only to expanded states (the cycle proviso, search/state_search.cc). Where no system
//    state comes back, as the graphs may show, no proviso is needed.
// Terminal states are all reached, whatever the invariants: no event of T is enabled in one, so a
// way to it has one, and the first of them can be moved to the front.
// Then a state that violates a wanted invariant is reachable iff one is reachable by chosen moves:
// take a way w to it. If w has events of T, the first of them can be moved to the front. If not,
// T can be put in front of w without changing what the invariants see at its end, or, for stable
// invariants, without undoing the violation.
class PersistentSets final : public Reduction {
 public:
  // Null if the budget does not last. If `only` is given, no event is part of T of which some
  // outcome is not part of `only`, in any state of its node. On graphs that are not closed the
  // reduction may lose violations; whoever uses it then must not claim completeness.
  static std::unique_ptr<PersistentSets> Make(GlobalSpace& space, model::InvariantTable& invariants,
                                              const StepGraph& graphs, model::InvariantSet wanted,
                                              model::Budget& budget,
                                              const MoveFilter* only = nullptr);

  size_t Choose(const GlobalState& state, std::vector<Move>& moves) override;

  bool MayReturn() const override { return may_return_; }
  // While the states are few, they may as well be stored: then ways to them are the shortest, and
  // no move is followed twice.
  uint32_t forced_from() const override { return forced_from_; }
  void set_forced_from(uint32_t states) { forced_from_ = states; }

  uint64_t bytes() const { return conflicts_.bytes() + closed_.bytes(); }

 private:
  PersistentSets(GlobalSpace& space, model::InvariantTable& invariants, const StepGraph& graphs,
                 model::InvariantSet wanted, model::Budget& budget, const MoveFilter* only);
  void Bar(const MoveFilter& only, const StepGraph& graphs);
  bool Holds(const ClosedSet& set, const GlobalState& state, model::NodeId node) const;
  size_t ChooseOfSeveral(const GlobalState& state, std::vector<Move>& moves);
  void MoveToFront(const SlotSet& places, size_t begin, std::vector<Move>& moves);

  GlobalSpace& space_;
  const bool may_return_;
  Conflicts conflicts_;
  ClosedSets closed_;
  std::optional<StubbornSets> stubborn_;  // If sets may have events of several nodes.
  uint32_t forced_from_ = 1 << 22;
  std::vector<Move> front_;
};

}  // namespace foretell::search
