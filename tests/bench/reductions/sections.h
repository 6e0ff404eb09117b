#pragma once

// The parts of `scripts/bench reductions`. Each prints a table and says whether all counts and
// verdicts are right; slowness is no failure.

#include <cstdint>
#include <ostream>

namespace foretell::bench {

// Table I of the DBSS paper, each search of at most `steps_max` steps.
bool PrintTable1(uint64_t steps_max, std::ostream& out);

// What symmetry costs per transition.
void PrintCanonical(std::ostream& out);

}  // namespace foretell::bench
