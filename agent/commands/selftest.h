#pragma once

#include <string>

#include "foretell/agent/console/console.h"

namespace foretell::agent {

// `foretell selftest`, as the user typed it; empty means not given.
struct SelftestArgs {
  std::string count;
  std::string seed;
};

// Returns 0 if all engines agree, 1 if not, 2 for impossible arguments.
int RunSelftestCommand(const SelftestArgs& args, Streams& streams);

}  // namespace foretell::agent
