#pragma once

// Three ways to choose which executions to follow. All end with every execution up to swaps of what
// does not depend on each other, but for the paper's, which is kept to be compared with.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include "foretell/model/report.h"
#include "foretell/search/dpor/execution.h"

namespace foretell::search {

enum class Algorithm : uint8_t {
  kPaper,    // Algorithm 1 as it was implemented in 2010. Misses executions.
  kSource,   // Source sets (Abdulla et al., JACM 2017): no two equal, some given up half-way.
  kOptimal,  // Wakeup trees (the same): one of each, none given up.
};

// What is asked of whoever follows the executions.
struct Follower {
  std::function<bool()> step;  // After each step. False: enough.
  std::function<bool()> end;   // At the end of an execution. False: enough.
  // How many bytes of what was seen are held before it is forgotten: all of it follows again.
  uint64_t held_max = uint64_t{256} << 20;
};

struct Followed {
  bool finished = false;  // Nobody said that it was enough, and no depth was too much.
  uint64_t traces = 0;    // Executions followed to their end.
  uint64_t blocked = 0;   // Given up: another that was followed is equal.
  uint64_t transitions = 0;
  uint64_t depth = 0;
  uint64_t wakeups_max = 0;  // kOptimal: nodes of all wakeup trees, at most.
};

struct DporOptions : model::ExploreOptions {
  Algorithm algorithm = Algorithm::kOptimal;
  Relation relation = Relation::kExact;
  Turns turns = Turns::kOldest;
  uint32_t buffers = 1;  // For Relation::kBuffers.
};

// By the algorithm, the order and the depth of `options`; the relation is the execution's.
Followed Follow(Execution& execution, const DporOptions& options, const Follower& follower);

Followed FollowPaper(Execution& execution, Turns turns, uint32_t depth_max,
                     const Follower& follower);
Followed FollowSource(Execution& execution, Turns turns, uint32_t depth_max,
                      const Follower& follower);
Followed FollowOptimal(Execution& execution, Turns turns, uint32_t depth_max,
                       const Follower& follower);

// What they have in common.

inline bool Contains(std::span<const Turn> turns, Turn turn) {
  return std::find(turns.begin(), turns.end(), turn) != turns.end();
}
// Whether `turn`, which was possible before the last event of `execution`, is still to be left out
// after it: the two have nothing to do with each other.
bool StillAsleep(Execution& execution, Turn turn);

}  // namespace foretell::search
