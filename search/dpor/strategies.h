#pragma once

// Three ways to choose which executions to follow. All end with every execution up to swaps of what
// does not depend on each other, but for the paper's, which is kept to be compared with.

#include <cstdint>
#include <functional>

#include "foretell/model/report.h"
#include "foretell/search/dpor/execution.h"

namespace foretell::search {

enum class Algorithm : uint8_t {
  kPaper,    // Algorithm 1 as it was implemented in 2010. Misses executions.
  kSource,   // Source sets (Abdulla et al., JACM 2017): no two equal, some given up half-way.
  kOptimal,  // Wakeup trees (the same): one of each, none given up.
};

// Which process goes first where it does not matter.
enum class Turns : uint8_t {
  kOldest,  // The one whose request is oldest.
  kAscending,
  kDescending,
};

// What is asked of whoever follows the executions.
struct Follower {
  std::function<bool()> step;  // After each step. False: enough.
  std::function<bool()> end;   // At the end of an execution. False: enough.
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

// What the three have in common.

bool Contains(const std::vector<Turn>& turns, Turn turn);
// Processes that can go on, in the order of `turns`.
std::vector<uint32_t> InTurns(Execution& execution, Turns turns);
// Whether nothing that `process` can come to is asleep. If something is, others have to begin as
// well: what comes before it can be what makes it worth while.
bool AllAwake(Execution& execution, uint32_t process, const std::vector<Turn>& asleep);
// The turns of `sleeping` that are still to be left out after the last event of `execution`: it has
// nothing to do with them. REQUIRES: they were possible before it.
std::vector<Turn> StillAsleep(Execution& execution, const std::vector<Turn>& sleeping);

}  // namespace foretell::search
