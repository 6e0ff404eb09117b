#pragma once

// FindCriticalTransition, Algorithm 3 of the MaceMC paper (NSDI 2007), to be measured against ours.
// Nothing of Foretell uses it: it believes walks.

#include <cstdint>
#include <vector>

#include "foretell/tests/bench/liveness/subject.h"

namespace foretell::bench {

// The states of an execution that died: states[i] is the one after i steps.
struct Execution {
  std::vector<search::GlobalState> states;
  size_t first = 0;  // d_init: from here on it is not live.
  size_t dead = 0;   // The first dead state. Those before it are alive.

  // Where nothing can happen any more, it stays as it is.
  const search::GlobalState& At(size_t step) const {
    return states[step < states.size() ? step : states.size() - 1];
  }
};

struct Algorithm3Options {
  uint32_t walks = 20;     // k: that many fail before a state is believed to be dead.
  uint32_t depth = 2'000;  // d_max: walks end there.
};

struct Algorithm3Result {
  size_t critical = 0;   // d_crit.
  bool certain = false;  // Condition C1; else C2.
  uint64_t steps = 0;    // Of all walks.
};

Algorithm3Result FindCriticalTransition(Subject& subject, const Execution& execution,
                                        const Algorithm3Options& options);

}  // namespace foretell::bench
