#include "foretell/agent/sidecar/report/engine_faults.h"

#include "absl/strings/str_cat.h"

namespace foretell::agent {

std::vector<std::string> FaultsOf(const EngineRecord& run) {
  std::vector<std::string> faults;
  if (!run.error.empty()) faults.push_back("failed: " + run.error);
  for (const std::string& claim : run.rejected) {
    faults.push_back("claimed what the cut does not confirm: " + claim);
  }
  return faults;
}

void EngineFaults::Log(const std::vector<EngineRecord>& runs) {
  std::map<std::string, bool> works;  // In every space it came to.
  for (const EngineRecord& run : runs) {
    bool& all = works.try_emplace(run.engine, true).first->second;
    for (const std::string& fault : FaultsOf(run)) {
      all = false;
      std::set<std::string>& told = faults_[run.engine];
      if (told.size() >= kFaultsMax || !told.insert(fault).second) continue;
      log_.Log(absl::StrCat("engine ", run.engine, " ", fault));
    }
  }
  for (const auto& [engine, all] : works) {
    if (all && faults_.erase(engine) > 0) log_.Log("engine " + engine + " works again");
  }
}

}  // namespace foretell::agent
