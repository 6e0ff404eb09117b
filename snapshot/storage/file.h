#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace foretell::snapshot {

// What `error`, an errno, is to a caller, with the path in front: ResourceExhausted if there is no
// room, NotFound, PermissionDenied, or Unavailable.
absl::Status FileError(const std::string& path, const std::string& what, int error);

// An open file, closed with the object.
class File {
 public:
  // `flags` as for open(2). Does not wait for the other end of a pipe.
  static absl::StatusOr<File> Open(const std::string& path, int flags);
  // For reading. InvalidArgument if it is a directory, a pipe or a device.
  static absl::StatusOr<File> OpenRegular(const std::string& path, int flags);
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  const std::string& path() const { return path_; }
  void set_path(std::string path) { path_ = std::move(path); }  // After it was renamed.
  int descriptor() const { return descriptor_; }
  struct Shape {
    uint64_t size = 0;
    int64_t changed_unix_nanos = 0;
  };
  absl::StatusOr<Shape> Stat() const;
  // Up to `size` bytes from `offset`; fewer only where the file ends.
  absl::StatusOr<std::string> ReadAt(uint64_t offset, size_t size) const;
  // All of it, or a failure after which some of it may be there. A file size limit of the process
  // is a failure too, and no signal.
  absl::Status WriteAt(uint64_t offset, const std::string& bytes);
  absl::Status Sync();  // Data and size are on the disk afterwards.
  absl::Status Truncate(uint64_t size);
  // Locks it for as long as it is open, however that ends. AlreadyExists if somebody else has.
  absl::Status TryLock();

 private:
  File(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  std::string path_;
  int descriptor_;
};

// Makes creations and renames in the directory of `path` last.
absl::Status SyncDirectoryOf(const std::string& path);

// Writes `bytes` beside `path`, syncs, and renames: readers see the old content or the new, never
// a part, whenever we are killed.
absl::Status ReplaceFile(const std::string& path, const std::string& bytes);

}  // namespace foretell::snapshot
