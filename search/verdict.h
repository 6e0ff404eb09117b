#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/report.h"

namespace foretell::search {

// A violation that an engine believes it found: an invariant and a way to break it.
using Finding = std::pair<size_t, model::Path>;

// The words of a report for the limit that ended the search.
std::string EndedBy(model::Budget::Limit limit);

// `report` on a service that was caught: `what` it did. Nothing else is claimed.
model::Report NotDeterministic(model::Report report, const std::string& what);

// Whether an engine looks at terminal states, where some invariants must hold.
enum class Ends : uint8_t { kLeftOut, kLookedAt };

// What is run again before a violation is told: all that was run in the search, or, where somebody
// waits for it, the steps of its path. To claim more than a violation takes all of it either way.
enum class Audits : uint8_t { kAll, kPaths };

// The last step of every engine: audits the service, shortens each finding and replays it
// through the plain semantics, and fills in the verdict. `exhausted` says that nothing was cut off;
// `report` comes with the engine's own figures and notes. Fails only if a finding of a
// deterministic service does not replay, which is a bug of ours. Who has nothing to say when the
// budget is abandoned says so without an audit; who has something to say tells the budget first.
// An engine that leaves out terminal states is never complete where an invariant is about them.
absl::StatusOr<model::Report> Conclude(model::TransitionTable& table,
                                       const model::InvariantTable& invariants,
                                       const model::SystemCut& start, std::vector<Finding> findings,
                                       bool exhausted, const model::Budget& budget,
                                       model::Report report, Ends ends = Ends::kLeftOut,
                                       Audits audits = Audits::kAll);

}  // namespace foretell::search
