#pragma once

#include "foretell/agent/commands/command.h"

namespace foretell::agent {

// A live node, at its client port: do this, and how are you?
Command AddCall(CLI::App& root, const Parts& parts);
Command AddAsk(CLI::App& root, const Parts& parts);

}  // namespace foretell::agent
