#pragma once

#include <string>

#include "foretell/agent/formats/findings.h"

namespace foretell::agent {

// SARIF 2.1.0: a rule per invariant, a result per broken one, its path as a code flow through
// nodes, which are logical locations.
std::string WriteSarif(const Findings& findings);

}  // namespace foretell::agent
