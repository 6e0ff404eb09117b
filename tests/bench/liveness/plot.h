#pragma once

#include <string>
#include <vector>

#include "foretell/tests/bench/liveness/sections.h"

namespace foretell::bench {

// The share of executions that were live by a step, as a self-contained SVG picture: our curves,
// and what the text of the paper says of its own. Paints its own background, light or dark as the
// viewer prefers. REQUIRES: at most four systems, each with an execution.
std::string PlotStepsToLive(const std::vector<StepsToLive>& systems);

}  // namespace foretell::bench
