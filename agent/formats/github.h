#pragma once

#include <string>

#include "foretell/agent/formats/findings.h"

namespace foretell::agent {

// Workflow commands of GitHub Actions: an error per broken invariant; a warning if not everything
// is decided, a notice if all holds.
std::string WriteGithub(const Findings& findings);

}  // namespace foretell::agent
