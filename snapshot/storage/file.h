#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/snapshot/storage/file_system.h"

namespace foretell::snapshot {

// InvalidArgument if `path` is a directory, a pipe or a device.
absl::StatusOr<std::unique_ptr<File>> OpenRegular(FileSystem& files, const std::string& path,
                                                  const Opening& opening);

// The whole of a file or a pipe. InvalidArgument if it has more than `size_max` bytes.
absl::StatusOr<std::string> ReadWhole(FileSystem& files, const std::string& path, size_t size_max);

// Makes creations and renames in the directory of `path` last.
absl::Status SyncDirectoryOf(FileSystem& files, const std::string& path);

// Writes `bytes` beside `path`, syncs, renames, and syncs the directory: readers see the old
// content or the new, never a part, whenever we are killed or the power fails, and the new one is
// on the disk when it returns. Errors name `path`.
absl::Status ReplaceFile(FileSystem& files, const std::string& path, const std::string& bytes,
                         uint32_t permissions = 0644);
// The same for a file that is written to afterwards. REQUIRES: nobody else writes `scratch`, which
// is in the same directory.
absl::StatusOr<std::unique_ptr<File>> ReplaceThrough(FileSystem& files, const std::string& scratch,
                                                     const std::string& path,
                                                     const std::string& bytes,
                                                     uint32_t permissions);

}  // namespace foretell::snapshot
