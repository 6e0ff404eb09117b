#pragma once

// An independent opinion on a violating path. The path's order of events, and nothing else, is
// played from boot in the simulator that comes with the library (fixture_replay.h), and the
// invariant is looked at on the simulator's servers. Neither our raft_io nor our reading of states
// is involved: what our harness makes up is not confirmed here.

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/integration/raft/judge/fixture_replay.h"
#include "foretell/integration/raft/judge/schedule.h"
#include "foretell/model/event.h"

namespace foretell::integration::raft {

struct Verdict {
  enum class Kind : uint8_t { kConfirmed, kNotConfirmed, kInexpressible };
  Kind kind = Kind::kInexpressible;
  std::string reason;  // The fault in the simulator, or why nothing can be said.
};

// "confirmed: ...", "not confirmed: ..." or "cannot be expressed: ...".
std::string Text(const Verdict& verdict);

// Invariants by the names that the family gives them. `path` starts at boot, with `servers` servers
// and nothing in flight.
Verdict Judge(unsigned servers, const model::Path& path, const std::string& invariant);
Verdict Judge(unsigned servers, Schedule schedule, const std::string& invariant);

// The part of `invariant` that does not hold among `servers`, for people; empty if it holds.
// InvalidArgument if the judge does not know that invariant.
absl::StatusOr<std::string> Broken(const std::vector<FixtureServer>& servers,
                                   const std::string& invariant);

}  // namespace foretell::integration::raft
