#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/sidecar/report/alert.h"
#include "foretell/agent/telemetry/signals/record.h"

namespace foretell::agent {

// What a round can say about what it did not find.
struct RoundSight {
  uint64_t round = 0;
  uint64_t cut = 0;         // The number of its snapshot.
  bool all_nodes = false;   // The cut has every node: what it does not show is not there.
  bool conclusive = false;  // And all that is imagined was searched to the end.
};

// What was told, and what has become of it. A story that was told is not told again until it has
// been resolved, which takes a minute in which it was not seen: traffic makes violations possible
// and impossible again all the time, and nobody wants to hear each of them. Pure; one thread.
class Stories {
 public:
  static constexpr std::chrono::minutes kQuiet{1};
  // An invariant that breaks anew all the time is told so often within kQuiet, and counted beyond.
  static constexpr size_t kHappenedMax = 10;

  // The alerts that are news; those of what has happened that are too many are left out and
  // counted. `now`: when the cut was taken. Not to be called for a round without a prediction.
  std::vector<Alert> TakeNews(std::vector<Alert> alerts, UnixTime now, const RoundSight& sight);
  // Stories that have ended since the last call.
  std::vector<ResolvedEvent> TakeResolved() { return std::exchange(resolved_, {}); }
  // All stories of an invariant have ended: should it happen again, that is news.
  void Forget(const std::string& invariant);

 private:
  struct Story {
    std::string invariant;
    std::string what;  // The assumption, or who breaks it.
    bool happened = false;
    bool death = false;       // Ends by Forget alone, once it has happened.
    uint64_t since = 0;       // The cut of which it was told first.
    UnixTime seen{};          // And when it was seen last.
    uint64_t gone_round = 0;  // Since then it has not been seen; 0: it was seen in the last round.
    uint64_t gone_cut = 0;
    bool proved = false;  // That it is not there was proved since.
  };
  static std::string EndOf(const Story& story);  // In words.
  bool TooMany(const Alert& alert, UnixTime now);
  void Miss(Story& story, const RoundSight& sight) const;
  void Resolve(UnixTime now);

  std::map<std::string, Story> told_;
  std::map<std::string, std::vector<UnixTime>> happened_;  // By invariant: told within kQuiet.
  std::vector<ResolvedEvent> resolved_;
};

}  // namespace foretell::agent
