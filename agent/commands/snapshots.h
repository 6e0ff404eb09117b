#pragma once

#include <string>

#include "foretell/agent/console/console.h"

namespace foretell::agent {

// `foretell snapshots`, as the user typed it; empty means not given.
struct SnapshotsArgs {
  std::string file;
  std::string since;  // UTC; see wall_time.h.
  std::string until;
  std::string number;
  std::string service;
  bool absent = false;  // Only those with absent nodes.
  std::string json;     // A file, or "-" for `streams.out`.
  std::string extract;  // A number.
  std::string output;   // Where the extracted message goes; "-" for `streams.out`.
};

// Lists an archive, or takes one message out of it. Returns an ExitCode.
int RunSnapshots(const SnapshotsArgs& args, Streams& streams);

}  // namespace foretell::agent
