#pragma once

#include <functional>
#include <mutex>
#include <ostream>
#include <string>

#include "foretell/snapshot/storage/unix_time.h"

namespace foretell::agent {

// What an agent tells people and scripts: one line each on the log, and, if wanted, one JSON object
// per line for scripts. Thread-safe; a reader that went away never stops the agent.
class Journal {
 public:
  // `events` may be null. `now` is the wall clock.
  Journal(std::ostream& log, std::ostream* events, std::function<snapshot::UnixTime()> now)
      : log_(log), events_(events), now_(std::move(now)) {}

  void Log(const std::string& line);
  // `json` is an object; the time is added to it.
  void Event(const std::string& name, const std::string& json);
  bool wants_events() const { return events_ != nullptr; }

 private:
  std::mutex mutex_;
  std::ostream& log_;
  std::ostream* events_;
  std::function<snapshot::UnixTime()> now_;
};

}  // namespace foretell::agent
