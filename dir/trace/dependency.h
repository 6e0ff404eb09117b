#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "foretell/dir/ids/event_numbers.h"
#include "foretell/dir/trace/grown_node_graphs.h"
#include "foretell/model/budget.h"
#include "foretell/search/graphs/slot_set.h"

namespace foretell::dir {

enum class DependencyMode : uint8_t {
  kConservative,  // Any two events of a node are dependent, as in DEMETER-MACEMC.
  kExact,         // Only events that do not commute.
};

// The dependency relation between events of one node: the order of dependent events is part of a
// trace. Events of different nodes depend on each other only as a message depends on the event that
// sent it. Does not change once made; for all threads.
class Dependency {
 public:
  static Dependency Conservative() { return Dependency(); }
  // Two events are independent if they commute in every state of the graphs, neither decides
  // whether the other is possible, and neither messages nor (if `check_invariants`) invariants can
  // tell their order. Conservative if the graphs are not closed, or the budget does not last.
  static Dependency Exact(GrownNodeGraphs& grown, bool check_invariants,
                          EventNumbers& event_numbers, model::Budget& budget);

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
