#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dir/lexicon.h"
#include "dir/prospects.h"
#include "model/budget.h"
#include "search/slot_set.h"

namespace foretell::dir {

enum class DependencyMode : uint8_t {
  kConservative,  // Any two events of a node are dependent, as in DEMETER-MACEMC.
  kExact,         // Only events that do not commute.
};

// Which events of one node are dependent: their order is part of a trace. Events of different nodes
// depend on each other only as a message depends on what sent it. Does not change once made; for
// all threads.
class Dependency {
 public:
  static Dependency Conservative() { return Dependency(); }
  // From what the nodes may do: two events are independent if they commute in every state, neither
  // decides whether the other is possible, and nobody who looks at messages or (if `watch`) at
  // invariants can tell their order. Conservative if that is not known, or the budget does not
  // last.
  static Dependency Exact(Prospects& prospects, bool watch, EventNumbers& event_numbers,
                          model::Budget& budget);

  bool exact() const { return exact_; }
  // REQUIRES: events of the same node.
  bool Dependent(uint32_t a, uint32_t b) const {
    if (!exact_ || a == b || a >= rows_.size() || b >= rows_.size()) return true;
    return rows_[a].Test(b);
  }

 private:
  bool exact_ = false;
  std::vector<search::SlotSet> rows_;  // By number.
};

}  // namespace foretell::dir
