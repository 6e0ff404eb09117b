#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/snapshot/storage/file_system.h"

namespace foretell::agent {

// The whole file, or why not. Refuses what no report can be: directories and huge files.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// All or nothing: readers see the old content or the new, never a part, even if we are killed or
// the power fails; the new one is on the disk when it returns. Devices and pipes are written to.
absl::Status WriteFileAtomically(const std::string& path, const std::string& content,
                                 snapshot::FileSystem& files = snapshot::Disk());

}  // namespace foretell::agent
