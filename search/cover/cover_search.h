#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/engine/interner.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/report.h"
#include "foretell/search/cover/bags.h"
#include "foretell/search/cover/cover_tree.h"
#include "foretell/search/global_space.h"

namespace foretell::search {

// All system states (one state per node) that can be reached on datagrams, whatever is lost: the
// tree of Karp and Miller, in which a loop that only makes more messages counts as having been
// taken for ever. It ends wherever nodes have finitely many states, also if messages pile up
// without end. Depth first: what is found late is then mostly covered by what it would lead to.
// docs/decisions/0032-cover.md says why nothing is missed and nothing invented.
class CoverSearch {
 public:
  // `filter` may be null; else only what it follows happens. Both outlive the search.
  // REQUIRES: a service on datagrams.
  explicit CoverSearch(model::TransitionTable& table, const MoveFilter* filter = nullptr);

  // One of the two, once. REQUIRES: `start` is valid for the service.
  void Begin(const model::SystemCut& start);
  // From a system state with nothing in flight: all that was is lost.
  void Begin(std::span<const model::StateId> system);

  // Goes on until at least `systems_max` system states are known, nothing is left, or the budget is
  // spent. `progress` may be empty.
  void Grow(uint32_t systems_max, model::Budget& budget, const model::ProgressSink& progress = {});
  // True iff every system state that can be reached is known.
  bool finished() const { return pending_.empty(); }

  // System states, in the order in which they were found; the start is number 0.
  uint32_t system_count() const { return systems_.size(); }
  std::span<const model::StateId> system(uint32_t number) const;
  // A way there from the start that replays, if it takes at most `steps_max` steps.
  std::optional<model::Path> PathTo(uint32_t system, size_t steps_max);

  // Tree nodes of a system state whose bags have, together, all that can be in flight there: once
  // finished, whatever follows one of them is within another.
  std::span<const uint32_t> Widest(uint32_t system) const { return known_[system].widest; }
  const Bags& bags() const { return bags_; }
  const CoverTree& tree() const { return tree_; }
  uint64_t transitions() const { return transitions_; }
  uint64_t depth() const { return depth_; }
  uint64_t visited_bytes() const;
  uint64_t bytes() const { return visited_bytes() + table_.bytes(); }

 private:
  // What is known of a system state.
  struct Known {
    uint32_t first;                // Its first tree node.
    std::vector<uint32_t> widest;  // Tree nodes none of whose bags is within another's.
    std::vector<uint32_t> loops;   // Those that can be taken in it ...
    uint32_t compared = 0;         // ... of so many.
  };
  std::optional<uint32_t> Next();
  bool Expand(uint32_t at, model::Budget& budget, const model::ProgressSink& progress);
  bool Follow(uint32_t at, model::NodeId node, model::EventId event, model::Budget& budget,
              const model::ProgressSink& progress);
  void Arrive(CoverNode next);
  uint32_t Refreshed(uint32_t at);
  uint32_t Plant(const CoverNode& next);
  bool IsCovered(const CoverNode& next);
  uint32_t TwinAbove(const CoverNode& next) const;
  void Accelerate(CoverNode& next);
  uint32_t AddLoop(uint32_t above, const CoverNode& below, BagId gains);
  const std::vector<uint32_t>& LoopsAt(uint32_t system);
  void Take(uint32_t number, CoverNode& next);
  void Tell(model::Budget& budget, const model::ProgressSink& progress) const;

  model::TransitionTable& table_;
  const MoveFilter* const filter_;
  Bags bags_;
  CoverTree tree_;
  model::SequenceInterner systems_;
  std::vector<Known> known_;       // By system state.
  std::vector<uint32_t> pending_;  // A stack.
  std::vector<bool> outdone_;      // By tree node: a later one has all of its messages and more.
  std::vector<uint32_t> states_;   // Of the successor in the making.
  std::vector<Lift> lifts_;        // Of the node in the making.
  uint64_t transitions_ = 0;
  uint64_t depth_ = 0;
};

}  // namespace foretell::search
