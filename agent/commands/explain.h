#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"

namespace foretell::agent {

// `foretell explain`, as the user typed it; empty means not given.
struct ExplainArgs {
  std::string file;                  // The output of `check --json`.
  std::string format;                // As DrawingRequest::format.
  std::string output;                // A file; default: `console.out`.
  std::string violation;             // Its number, from 1; default: the first.
  std::vector<std::string> plugins;  // Already loaded; here for the command that is printed.
};

// Replays the path of the file and draws it. Returns an ExitCode; nothing is written unless all
// is well.
int RunExplain(const ExplainArgs& args, const Parts& parts, Console& console);

}  // namespace foretell::agent
