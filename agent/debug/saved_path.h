#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "foretell/agent/debug/subject.h"
#include "foretell/agent/execution/execution.h"

namespace foretell::agent {

// The engine of what was saved here.
inline constexpr const char* kDebugEngine = "debug";

// An execution in the form of `check --json` (docs/json.md), so that `explain` and `debug` take it.
// If an invariant does not hold at its end, that is its violation; else it stands under the key
// "path", and nothing is claimed.
absl::StatusOr<std::string> SavedPath(const Subject& subject, const Execution& execution);

// The path of a report without violations; empty if it has none. InvalidArgument names what is
// wrong.
absl::StatusOr<model::Path> ReadSavedPath(const std::string& text);

}  // namespace foretell::agent
