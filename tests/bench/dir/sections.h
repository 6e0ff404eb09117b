#pragma once

// The parts of `scripts/bench dir`. Each prints a table and says whether all counts are right;
// slowness is no failure.

#include <ostream>

#include "foretell/tests/bench/dir/rows.h"
#include "foretell/tests/bench/dir/runs.h"

namespace foretell::bench {

struct DirPlan {
  bool tiny = false;  // Only what takes milliseconds, and never stopped by a clock.
  Seconds budget{2};  // Of one exploration.
  uint32_t threads = 0;
};

// Section 2.3: figure 1, and the variant of n numbers and m servers.
bool PrintAccumulators(const DirPlan& plan, std::ostream& out);
// Table 2. Fills in what was measured, for those that follow.
bool PrintTable2(const DirPlan& plan, DirResults& results, std::ostream& out);
// What was aimed at, in how many rows it came out, and how to read them.
void PrintAims(const DirResults& results, std::ostream& out);
// What it brings to have only sends in the interface.
bool PrintInterfaces(const DirResults& results, std::ostream& out);
// Section 6.1: two ways to divide a ring of philosophers.
bool PrintGrouping(const DirPlan& plan, std::ostream& out);
// Section 6.1: components of components.
bool PrintHierarchies(const DirPlan& plan, std::ostream& out);
// Section 6.2: what checking invariants adds, and what engines do that do not reduce interfaces.
bool PrintInvariants(const DirPlan& plan, std::ostream& out);
// Local traces per second, by one thread and by several.
bool PrintThreads(const DirPlan& plan, std::ostream& out);

}  // namespace foretell::bench
