#pragma once

// The parts of `scripts/bench reductions`. Each prints a table and says whether all counts and
// verdicts are right; slowness is no failure.

#include <ostream>

namespace foretell::bench {

// Table I of the DBSS paper. `full`: also what takes minutes.
bool PrintTable1(bool full, std::ostream& out);

}  // namespace foretell::bench
