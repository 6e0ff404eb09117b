#pragma once

#include <span>
#include <vector>

#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/search/global_space.h"

namespace foretell::search {

// What liveness asks of a state by id: whether the predicate holds there, and what can be counted
// on from there. The table is that of a PropertyView.
class RecoveryMoves final : public MoveFilter {
 public:
  // All outlive this.
  RecoveryMoves(model::TransitionTable& table, model::InvariantTable& invariants,
                model::CountOn count_on)
      : table_(table), invariants_(invariants), count_on_(count_on) {}

  bool Live(const GlobalState& state);
  // Of one state per node: what is in flight does not matter.
  bool Live(std::span<const model::StateId> system);
  bool Follows(model::EventId event) const override {
    return model::CountsOn(count_on_, table_.HelpOf(event));
  }
  bool Follows(model::EventId event, const model::Step& step) const override {
    return Follows(event) && table_.WeightOf(step) > 0;
  }

  // Calls `visit(node, event, step, successor)` for each step from `from` that recovery counts on,
  // or for every step if `all`, until it returns true; returns whether it did.
  template <class Visit>
  bool AnyStep(GlobalSpace& space, const GlobalState& from, bool all, Visit&& visit) {
    GlobalState next(from.node_count());
    std::vector<model::EventId> events;
    for (uint32_t n = 0; n < from.node_count(); ++n) {
      const model::NodeId node(n);
      events.clear();
      space.Enabled(from, node, events);
      for (const model::EventId event : events) {
        if (!all && !Follows(event)) continue;
        for (const model::Step& step : table_.Successors(node, from.state(node), event)) {
          if (!all && table_.WeightOf(step) == 0) continue;
          space.Apply(from, node, event, step, next);
          if (visit(node, event, step, next)) return true;
        }
      }
    }
    return false;
  }

  model::TransitionTable& table() const { return table_; }
  model::CountOn count_on() const { return count_on_; }

 private:
  model::TransitionTable& table_;
  model::InvariantTable& invariants_;
  const model::CountOn count_on_;
  std::vector<uint32_t> signatures_;
};

}  // namespace foretell::search
