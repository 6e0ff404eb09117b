#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "foretell/dir/trace/run.h"
#include "foretell/model/budget.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/event.h"
#include "foretell/search/verdict.h"

namespace foretell::dir {

// Checks invariants over the consistent cuts of global traces (section 6.2). A trace stands for
// every order in which its transitions can happen; a state of any of them is a cut of it, and two
// cuts look the same to an invariant unless one of its projections changed in between.
class CutChecker {
 public:
  // For runs of `nodes`. The table outlives this.
  CutChecker(model::TransitionTable& table, const model::SystemCut& start,
             std::span<const model::NodeId> nodes);

  // Adds an invariant to the findings the first time that it is seen broken, with the shortest path
  // to that cut which `run` offers. False if the budget is spent. REQUIRES: all nodes.
  bool Check(const Run& run, model::Budget& budget);
  // The same for invariants about single nodes and pairs of them, which takes no time to speak of.
  // Returns the invariants that were added.
  model::InvariantSet CheckWithin(const Run& run);

  const std::vector<search::Finding>& findings() const { return findings_; }
  const model::InvariantTable& invariants() const { return invariants_; }
  // The invariants that were not seen broken.
  model::InvariantSet open() const { return open_; }

 private:
  // A change of a node's projection: it is `key` from `position` on, up to the next of its chain.
  struct Change {
    uint32_t position = kNone;  // kNone: from the start.
    std::optional<model::KeyId> key;
  };
  using Chain = std::vector<Change>;

  bool IsOpen(size_t invariant) const { return (open_ >> invariant & 1) != 0; }
  std::vector<Chain> Chains(const Run& run, size_t invariant);
  void CheckNodes(const Run& run, size_t invariant);
  void CheckPairs(const Run& run, size_t invariant);
  bool CheckSystem(const Run& run, size_t invariant, model::Budget& budget);
  bool Consistent(const Run& run, const Chain& a, size_t i, const Chain& b, size_t j) const;
  void AddFinding(const Run& run, size_t invariant, std::span<const uint32_t> last);

  model::TransitionTable& table_;
  model::InvariantTable invariants_;
  const std::vector<model::NodeId> nodes_;
  std::vector<uint32_t> index_;        // In nodes_, by node.
  std::vector<model::StateId> start_;  // By index in nodes_, like chains.
  model::InvariantSet open_;
  std::vector<search::Finding> findings_;
  std::vector<Chain> chains_;  // Of the invariant that is being checked.
};

}  // namespace foretell::dir
