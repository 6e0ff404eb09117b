#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace foretell::agent {

// The whole file, or why not. Refuses what no report can be: directories and huge files.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// All or nothing: readers see the old content or the new, never a part, even if we are killed.
absl::Status WriteFileAtomically(const std::string& path, const std::string& content);

}  // namespace foretell::agent
