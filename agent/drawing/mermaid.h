#pragma once

#include <string>

#include "foretell/agent/drawing/space_time.h"

namespace foretell::agent {

// The path as a Mermaid sequence diagram, for documents that render it. Messages that are not
// delivered on the path are left out.
std::string DrawMermaid(const SpaceTime& picture);

}  // namespace foretell::agent
