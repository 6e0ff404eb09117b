#pragma once

#include <string>
#include <vector>

#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"

namespace foretell::agent {

// The executable behind main(): reads the arguments (without the program's name), runs one command
// and returns its ExitCode. Plug-ins that the arguments name are added to `parts`.
int RunForetell(const std::vector<std::string>& args, Parts& parts, Console& console);

}  // namespace foretell::agent
