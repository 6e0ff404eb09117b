#pragma once

#include <cstdint>
#include <vector>

#include "foretell/search/liveness/fates.h"
#include "foretell/search/recovery/oracle.h"

namespace foretell::search {

// Datagrams can all be lost, so each combination of node states is judged with nothing in flight as
// well. More messages never disable anything, and the predicate sees nodes only: if a state can
// recover with nothing in flight, it can with anything, and if it cannot, a state is dead that
// losses lead to. The combinations are far fewer than the states.
class Losses {
 public:
  // All outlive this. `space` is that of `search`.
  Losses(GlobalSpace& space, const StateSearch& search, Oracle& oracle, Fates& fates)
      : space_(space), search_(search), oracle_(oracle), fates_(fates) {}

  // Judges the states that came since the last call. Tells `fates` of those that are dead as they
  // are. False if the budget ended it.
  bool Judge(model::Budget& budget);

  // The first state that is dead if what is in flight is lost; kNone if there is none.
  uint32_t first_dead() const { return first_dead_; }
  uint64_t dead_count() const { return dead_count_; }        // Combinations.
  uint64_t unknown_count() const { return unknown_count_; }  // Combinations that were not decided.
  uint32_t first_unknown() const { return first_unknown_; }
  uint64_t judged_count() const { return fates_of_.size(); }
  // The answer about the first one that was not decided.
  const Oracle::Answer& unknown() const { return unknown_; }

 private:
  Oracle::Fate OfNodes(const GlobalState& state, uint32_t index, model::Budget& budget);

  GlobalSpace& space_;
  const StateSearch& search_;
  Oracle& oracle_;
  Fates& fates_;
  uint32_t next_ = 0;
  model::SequenceInterner nodes_;       // Combinations of node states ...
  std::vector<Oracle::Fate> fates_of_;  // ... and what becomes of them.
  uint32_t first_dead_ = StateStore::kNone;
  uint32_t first_unknown_ = StateStore::kNone;
  uint64_t dead_count_ = 0;
  uint64_t unknown_count_ = 0;
  Oracle::Answer unknown_;
};

}  // namespace foretell::search
