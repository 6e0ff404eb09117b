#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/telemetry/signals/record.h"
#include "foretell/predictors/life_watch.h"

namespace foretell::agent {

// What the cuts of a run have shown of liveness predicates: since when they are dead, and how long
// they were away. Facts, and no verdicts. Pure; one thread.
class LifeHistory {
 public:
  // A predicate in the cut with this number, which was taken then. The news, if it was dead before
  // and is not any more.
  std::optional<ResolvedEvent> Add(const predictors::LifeForecast& forecast, uint64_t number,
                                   UnixTime taken);

  // The number of the first of the last cuts in all of which it was dead; 0 if it is not.
  uint64_t DeadSince(const std::string& property) const;
  // How long it has not held, by the cuts.
  std::chrono::nanoseconds GapOf(const std::string& property) const;
  // "not live for 7.2 s (99 % of 120 earlier gaps were below 1.1 s)"; empty if it holds.
  std::string GapText(const std::string& property) const;

 private:
  static constexpr size_t kGapsMax = 1000;
  struct Past {
    uint64_t dead_since = 0;
    UnixTime last{};                            // The newest cut ...
    std::optional<UnixTime> away;               // ... and since which one it has not held.
    std::optional<UnixTime> held;               // When it last did.
    std::deque<std::chrono::nanoseconds> gaps;  // That have ended, oldest first.
  };
  const Past* Find(const std::string& property) const;

  std::map<std::string, Past> past_;
};

}  // namespace foretell::agent
