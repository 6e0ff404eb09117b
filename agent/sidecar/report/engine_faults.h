#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "foretell/agent/sidecar/report/agent_log.h"
#include "foretell/agent/telemetry/signals/record.h"

namespace foretell::agent {

// The faults of a run, if any: why it failed, claims that the cut did not confirm.
std::vector<std::string> FaultsOf(const EngineRecord& run);

// Faults of engines, as told on the log. What goes wrong once does so in every round, so a line is
// written once per distinct fault, and once more when the engine works again. One thread.
class EngineFaults {
 public:
  // A plug-in may put a new text into every error: after so many, more of them are no news.
  static constexpr size_t kFaultsMax = 8;  // Per engine, until it works again.

  // `log` outlives this.
  explicit EngineFaults(AgentLog& log) : log_(log) {}

  // The runs of one round.
  void Log(const std::vector<EngineRecord>& runs);

 private:
  AgentLog& log_;
  std::map<std::string, std::set<std::string>> faults_;  // Told so far, by engine.
};

}  // namespace foretell::agent
