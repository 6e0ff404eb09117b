#pragma once

// The parts of `scripts/bench lmc`. Each measures, prints its part of the table, and returns
// whether what does not depend on the machine is as it must be: counts, completeness, the
// violation. Numbers of the paper are those of its text (Guerraoui and Yabandeh, NSDI 2011, section
// 5).

#include <ostream>

#include "foretell/tests/bench/measure.h"

namespace foretell::bench {

// Figures 10, 11 and 12: one node proposes once.
bool PrintOneProposal(const Bench& bench, std::ostream& out);
// What the paper does not have: all three propose. With Plan::full only.
bool PrintThreeProposals(const Bench& bench, std::ostream& out);
// Section 5.2: two nodes propose.
bool PrintTwoProposals(const Bench& bench, std::ostream& out);
// Figure 13 and section 5.5: the planted bug.
bool PrintPlantedBug(const Bench& bench, std::ostream& out);

}  // namespace foretell::bench
