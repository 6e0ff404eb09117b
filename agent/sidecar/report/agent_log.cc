#include "foretell/agent/sidecar/report/agent_log.h"

#include "foretell/agent/console/wall_time.h"

namespace foretell::agent {

void AgentLog::Log(const std::string& line) {
  const std::string time = FormatTime(now_());
  const model::MutexLock lock(mutex_);
  log_.clear();  // A disk that was full once may have room again.
  log_ << time << " " << line << std::endl;
}

void AgentLog::Event(const std::string& name, const std::string& json) {
  if (events_ == nullptr) return;
  const std::string head = "{\"event\":\"" + name + "\",\"time\":\"" + FormatTime(now_()) + "\"";
  const model::MutexLock lock(mutex_);
  events_->clear();
  *events_ << head << (json.size() > 2 ? "," : "") << json.substr(1) << std::endl;
}

}  // namespace foretell::agent
