#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "foretell/model/engine/transition_table.h"
#include "foretell/search/cover/bags.h"
#include "foretell/search/cover/cover_tree.h"

namespace foretell::search {

// The nodes that the branch of a loop moves, and the messages that it takes and makes.
class LoopScan {
 public:
  LoopScan(const model::TransitionTable& table, const CoverTree& tree)
      : table_(table), tree_(tree) {}

  // The branch from tree node `above` to `below`, which is not in the tree yet, with its lifts.
  void Scan(uint32_t above, const CoverNode& below, std::span<const Lift> lifts);
  // What was scanned, as a loop from `above`, whose system state is `states`, with these `gains`
  // and what the branch makes and never takes besides.
  CoverLoop Loop(Bags& bags, uint32_t above, std::span<const uint32_t> states, BagId gains) const;

 private:
  void ScanNode(const CoverNode& node, std::span<const Lift> lifts);

  const model::TransitionTable& table_;
  const CoverTree& tree_;
  uint64_t steps_ = 0;
  std::set<model::NodeId> moved_;
  std::set<model::MessageId> taken_;
  std::set<model::MessageId> made_;
};

}  // namespace foretell::search
