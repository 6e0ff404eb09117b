#pragma once

#include <functional>
#include <mutex>
#include <ostream>
#include <string>

namespace foretell::agent {

// The log of an agent, for people and scripts: one line each, and, if wanted, one JSON object
// per line for scripts. Thread-safe; a reader that went away never stops the agent.
class AgentLog {
 public:
  // `events` may be null. `now` gives the wall clock in nanoseconds since 1970.
  AgentLog(std::ostream& log, std::ostream* events, std::function<int64_t()> now)
      : log_(log), events_(events), now_(std::move(now)) {}

  void Log(const std::string& line);
  // `json` is an object; the time is added to it.
  void Event(const std::string& name, const std::string& json);
  bool wants_events() const { return events_ != nullptr; }

 private:
  std::mutex mutex_;
  std::ostream& log_;
  std::ostream* events_;
  std::function<int64_t()> now_;
};

}  // namespace foretell::agent
