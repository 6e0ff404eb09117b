#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/sidecar/journal.h"
#include "agent/telemetry_record.h"

namespace foretell::agent {

// The engines that fail, as told on the log. An engine that fails does so in every round, so a line
// is written once per distinct error, and once more when the engine works again. One thread.
class EngineFaults {
 public:
  // A plug-in may put a new text into every error: after so many, the engine is no news any more.
  static constexpr size_t kErrorsMax = 8;  // Per engine, until it works again.

  // `journal` outlives this.
  explicit EngineFaults(Journal& journal) : journal_(journal) {}

  // The runs of one round.
  void Log(const std::vector<EngineRecord>& runs);

 private:
  Journal& journal_;
  std::map<std::string, std::set<std::string>> errors_;  // Told so far, by engine.
};

}  // namespace foretell::agent
