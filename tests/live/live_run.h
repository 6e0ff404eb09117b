#pragma once

// Runs of a live cluster with an agent, for tests.

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/agent/demo/agent_feed.h"
#include "foretell/agent/demo/demo_run.h"

namespace foretell::live {

// A fresh folder for one run, with a short name: sockets live in it. Gone at the end.
class RunFolder {
 public:
  RunFolder();
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct RunOptions {
  std::string service = "paxos";
  std::string bug;
  std::string mode = "observe";
  std::string call = "Propose";
  uint64_t seed = 1;
  uint32_t calls_max = 40;
  bool until_violation = false;
  uint64_t steps_max = agent::kPaxosSteps;  // Of a search.
  std::string more;                         // Further keys of the section [rounds].
};

// What a DemoRun needs for it.
agent::DemoRunOptions DemoRunFor(const RunOptions& options, const std::string& folder);

// One run in a folder of its own.
absl::StatusOr<agent::DemoRunResult> RunOne(const RunOptions& options);
// As many at a time as there are cores for their agents.
std::vector<absl::StatusOr<agent::DemoRunResult>> RunAll(const std::vector<RunOptions>& runs);

// How many of `all` seeds to run; the variable FORETELL_LIVE_RUNS changes it.
size_t RunCount(size_t standard);

}  // namespace foretell::live
