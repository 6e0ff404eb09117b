#include "agent/sidecar/engine_faults.h"

#include "absl/strings/str_cat.h"

namespace foretell::agent {

void EngineFaults::Log(const std::vector<EngineRecord>& runs) {
  std::map<std::string, bool> works;  // In every space it came to.
  for (const EngineRecord& run : runs) {
    bool& all = works.try_emplace(run.engine, true).first->second;
    all = all && run.error.empty();
    if (run.error.empty()) continue;
    std::set<std::string>& told = errors_[run.engine];
    if (told.size() >= kErrorsMax || !told.insert(run.error).second) continue;
    journal_.Log(absl::StrCat("engine ", run.engine, " failed: ", run.error));
  }
  for (const auto& [engine, all] : works) {
    if (all && errors_.erase(engine) > 0) journal_.Log("engine " + engine + " works again");
  }
}

}  // namespace foretell::agent
