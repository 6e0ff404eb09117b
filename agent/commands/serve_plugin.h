#pragma once

#include "foretell/agent/commands/command.h"

namespace foretell::agent {

// Not for people: how a library is asked in a second process (agent/check/plugins.cc).
Command AddServePlugin(CLI::App& root, const Parts& parts);

}  // namespace foretell::agent
