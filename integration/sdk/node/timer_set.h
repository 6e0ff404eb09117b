#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "foretell/integration/sdk/values/random.h"
#include "foretell/integration/sdk/values/time.h"
#include "foretell/model/service.h"

namespace foretell::integration::sdk {

// When the timers of a node fire: an action is armed when it becomes enabled, and forgotten when it
// no longer is. Pure; belongs to the node's loop.
class TimerSet {
 public:
  // `seed` decides how much of its spread is added to a delay.
  TimerSet(const model::Service& service, uint64_t seed) : service_(service), random_(seed) {}

  // `actions` are all that are enabled now; those that are not timers are ignored.
  void Update(const std::vector<std::string>& actions, Time now);
  // The timer to fire at `now`, taken out of the set; it is armed afresh if still enabled at the
  // next Update.
  std::optional<std::string> TakeDue(Time now);
  std::optional<Time> Next() const;
  // Starts anew at the next Update.
  void Restart(const std::string& action);
  // Does not fire before `until`.
  void Postpone(const std::string& action, Time until);
  // Postponed timers fire as soon as they can.
  void Release(Time now);
  size_t size() const { return armed_.size(); }

 private:
  struct Armed {
    Time due{};
    bool postponed = false;
  };
  const model::Service& service_;
  Random random_;
  std::map<std::string, Armed> armed_;
};

}  // namespace foretell::integration::sdk
