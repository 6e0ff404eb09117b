#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "foretell/lmc/goal.h"
#include "foretell/lmc/lmc_explorer.h"
#include "foretell/model/budget.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/search/graphs/node_graphs.h"

namespace foretell::lmc {

// Creation of system states out of node states (LMC section 4.1, checkSystemInvariant): finds the
// combinations that break an invariant, as goals for soundness verification.
class Combinations {
 public:
  Combinations(model::InvariantTable& invariants, const search::NodeGraphs& graphs,
               uint32_t node_count);

  // Combines the node states found since the last call with all others. False if the budget ended
  // it; the next call starts that work again.
  bool Update(Combine combine, model::InvariantSet wanted, model::Budget& budget);

  // All goals so far, whatever became of them.
  const std::set<Goal>& goals() const { return goals_; }
  // Combinations an invariant was evaluated on (kAll), or that could break one (kByProjection).
  uint64_t system_states() const { return system_states_; }

 private:
  void CollectSignatures();
  bool CombineKeys(size_t invariant, model::Budget& budget);
  bool CombineAll(model::InvariantSet wanted, model::Budget& budget);
  bool CombineAllFrom(uint32_t fresh, uint32_t node, model::InvariantSet wanted,
                      model::Budget& budget);
  bool CombineSystemKeys(size_t invariant, std::vector<uint32_t>& keys, model::Budget& budget);
  void AddGoals(size_t invariant, const std::vector<uint32_t>& signatures);
  void AddIfViolated(size_t invariant, std::vector<uint32_t> keys);
  std::set<uint32_t> KeysOf(size_t invariant, uint32_t node) const;
  uint32_t KeyCode(size_t invariant, uint32_t signature) const;

  model::InvariantTable& invariants_;
  const search::NodeGraphs& graphs_;
  const uint32_t node_count_;
  std::vector<std::set<uint32_t>> signatures_;   // By node: the distinct ones.
  std::vector<std::vector<uint32_t>> by_state_;  // By node: one per state, in graph order.
  std::vector<size_t> combined_;                 // By node: states already combined (kAll).
  std::vector<uint32_t> choice_;                 // CombineAll: the signature of each node.
  std::set<Goal> goals_;
  uint64_t system_states_ = 0;
};

}  // namespace foretell::lmc
