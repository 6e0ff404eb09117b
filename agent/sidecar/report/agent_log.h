#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "foretell/model/sync/mutex.h"

namespace foretell::agent {

// What an agent tells people and scripts: one line each on the log, and, if wanted, one JSON object
// per line for scripts. Thread-safe; a reader that went away never stops the agent.
class Journal {
 public:
  // `events` may be null. `now` gives the wall clock in nanoseconds since 1970.
  Journal(std::ostream& log, std::ostream* events, std::function<int64_t()> now)
      : log_(log), events_(events), now_(std::move(now)) {}

  void Log(const std::string& line);
  // `json` is an object; the time is added to it.
  void Event(const std::string& name, const std::string& json);
  bool wants_events() const { return events_ != nullptr; }

 private:
  model::Mutex mutex_;
  std::ostream& log_ ABSL_GUARDED_BY(mutex_);
  std::ostream* events_ ABSL_PT_GUARDED_BY(mutex_);
  std::function<int64_t()> now_;
};

}  // namespace foretell::agent
