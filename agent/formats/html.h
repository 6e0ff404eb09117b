#pragma once

#include <string>

#include "foretell/agent/formats/findings.h"

namespace foretell::agent {

// One page without references to anything outside of it: verdict, pictures, steps, figures, and the
// command that finds it again. Light or dark as the viewer prefers.
std::string WriteHtml(const Findings& findings);

}  // namespace foretell::agent
