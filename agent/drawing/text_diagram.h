#pragma once

#include <string>

#include "foretell/agent/console/console.h"
#include "foretell/agent/drawing/space_time.h"

namespace foretell::agent {

// The path as text: one lane per node, time goes down, a message is an arrow at the moment of its
// delivery, and what changes stands beside the step. Ends with what broke and why. Fits
// `style.columns` (at least 60 are used); plain ASCII unless `style.utf8`.
std::string DrawText(const SpaceTime& picture, const TerminalStyle& style);

}  // namespace foretell::agent
