#pragma once

#include <string>
#include <vector>

#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"

namespace foretell::agent {

// `foretell replay`, as the user typed it; empty means not given.
struct ReplayArgs {
  std::string file;    // A bundle or an archive.
  bool force = false;  // Also what was recorded with another version of the service.

  // Of a bundle.
  std::string format;  // As DrawingRequest::format.
  std::string output;  // A file; default: `console.out`.

  // Of an archive.
  std::string engine;
  std::string budget;  // Per cut; default 1s.
  std::string steps;   // Per cut.
  std::string jobs;    // Default: one per core.
  std::string every;   // Every K-th cut; default 1.
  std::string json;    // A file, or "-" for `console.out`.

  std::vector<std::string> plugins;  // Already loaded; here for the command that is printed.
};

// Shows the violation of a bundle again, or checks every cut of an archive. Returns an ExitCode:
// kExitViolation if there is a violation.
int RunReplay(const ReplayArgs& args, const Parts& parts, Console& console);
// The same for a file that is a bundle.
int ReplayBundle(const ReplayArgs& args, const Parts& parts, Console& console);
// The same for any other file: it is an archive, or an error.
int ReplayArchive(const ReplayArgs& args, const Parts& parts, Console& console);

}  // namespace foretell::agent
