#pragma once

#include <cstdint>

#include "foretell/model/family.h"
#include "foretell/tests/bench/figures.h"

namespace foretell::bench {

// Where a check by engine `lmc` spends its time: the three curves of the LMC paper's figure 13.
struct Breakdown {
  Seconds explore{};  // Growing the node graphs; LMC-explore.
  Seconds combine{};  // Creating system states out of node states; with it, LMC-system-state.
  Seconds verify{};   // Soundness verification; with it, LMC-OPT.
  uint64_t rounds = 0;
  uint64_t node_states = 0;
  uint64_t system_states = 0;
  uint64_t checks = 0;
  uint64_t rejections = 0;
  uint64_t verify_transitions = 0;  // Followed by soundness verification.
  bool found = false;

  Seconds total() const { return explore + combine + verify; }
};

// One check, made of the same parts in the same order as in lmc/lmc_explorer.cc, without limits,
// without the audit and the replay at the end. Stops at the first violation.
Breakdown BreakDown(const model::System& system);

}  // namespace foretell::bench
