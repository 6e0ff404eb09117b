#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "foretell/agent/console/wall_time.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::agent {

// The log of an agent, for people and scripts: one line each, and, if wanted, one JSON object
// per line for scripts. Thread-safe; a reader that went away never stops the agent.
class AgentLog {
 public:
  // `events` may be null. `now` is the wall clock.
  AgentLog(std::ostream& log, std::ostream* events, std::function<UnixTime()> now)
      : log_(log), events_(events), now_(std::move(now)) {}

  void Log(const std::string& line);
  // `json` is an object; the time is added to it.
  void Event(const std::string& name, const std::string& json);
  bool wants_events() const { return events_ != nullptr; }

 private:
  model::Mutex mutex_;
  std::ostream& log_ ABSL_GUARDED_BY(mutex_);
  std::ostream* events_ ABSL_PT_GUARDED_BY(mutex_);
  std::function<UnixTime()> now_;
};

}  // namespace foretell::agent
