#pragma once

// The parts of `scripts/bench snapshot`. Each prints a table and says whether everything that was
// measured did happen; slowness is no failure.

#include <cstdint>
#include <ostream>

namespace foretell::bench {

struct SnapshotPlan {
  uint64_t checkpoints = 2'000;  // Per shape of state.
  uint64_t cuts = 100;           // Of each kind.
  uint64_t predictions = 200;
  uint64_t deaths = 200;  // Of each system.
};

// What a checkpoint costs the node that takes it.
bool PrintCheckpoints(const SnapshotPlan& plan, std::ostream& out);
// How long it takes to collect a cut, and what goes over the wire.
bool PrintCuts(const SnapshotPlan& plan, std::ostream& out);
// From the cut that makes the violation of LMC section 5.5 reachable to the alert and the plan.
bool PrintPredictions(const SnapshotPlan& plan, std::ostream& out);
// From a cut in which a liveness predicate is dead to the proof that it is.
bool PrintDeaths(const SnapshotPlan& plan, std::ostream& out);

}  // namespace foretell::bench
