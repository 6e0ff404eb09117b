#pragma once

// All that we do with files goes through this interface, so that tests can put a disk beneath it
// that fails, fills up or loses power (testing/faulty_file_system.h).

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/snapshot/storage/unix_time.h"

namespace foretell::snapshot {

// The meaning of `error`, an errno, to a caller, with the path in front: ResourceExhausted if there
// is no room, NotFound, PermissionDenied, or Unavailable.
absl::Status FileError(const std::string& path, const std::string& what, int error);

enum class FileKind { kMissing, kRegular, kDirectory, kOther };

enum class Access {
  kRead,    // A file that is there. Does not wait for the other end of a pipe.
  kStream,  // Reading to the end. Waits for the other end of a pipe.
  kWrite,   // Writing to what is there: a device, a pipe. Waits for its other end.
  kModify,  // Reading and writing; made if it is missing.
  kFresh,   // Reading and writing; made, or emptied if it is there. Not through a link.
  kAppend,  // Writing at the end; made if it is missing.
};

struct Opening {
  Access access = Access::kRead;
  uint32_t permissions = 0644;  // Of a file that is made.
};

// An open file, closed with the object. Failures name the path (FileError).
class File {
 public:
  explicit File(std::string path) : path_(std::move(path)) {}
  virtual ~File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& path() const { return path_; }
  void set_path(std::string path) { path_ = std::move(path); }  // After it was renamed.
  struct Shape {
    FileKind kind = FileKind::kRegular;
    uint64_t size = 0;
    UnixTime changed;
  };
  virtual absl::StatusOr<Shape> Stat() const = 0;
  // Up to `size` bytes from `offset`; fewer only where the file ends.
  virtual absl::StatusOr<std::string> ReadAt(uint64_t offset, size_t size) const = 0;
  // Up to `size` bytes from where the last call ended, also from a pipe; none at the end.
  virtual absl::StatusOr<std::string> ReadNext(size_t size) = 0;
  // All of it, or a failure after which some of it may be there. A file size limit of the process
  // is a failure too, and no signal.
  virtual absl::Status WriteAt(uint64_t offset, const std::string& bytes) = 0;
  // In one go, so that nobody sees other writers' bytes within ours: how many there was room for.
  virtual absl::StatusOr<size_t> Append(const std::string& bytes) = 0;
  virtual absl::Status Sync() = 0;  // Data and size are on the disk afterwards.
  virtual absl::Status Truncate(uint64_t size) = 0;
  // Locks it for as long as it is open, however that ends. AlreadyExists if somebody else has.
  virtual absl::Status TryLock() = 0;

 private:
  std::string path_;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual absl::StatusOr<std::unique_ptr<File>> Open(const std::string& path,
                                                     const Opening& opening) = 0;
  struct Look {
    FileKind kind = FileKind::kMissing;  // Of what a link leads to.
    bool link = false;
  };
  virtual Look LookAt(const std::string& path) const = 0;
  // Atomic, over a file that is there as well. Neither it nor what follows lasts through a power
  // failure before SyncDirectory.
  virtual absl::Status Rename(const std::string& from, const std::string& to) = 0;
  virtual absl::Status Remove(const std::string& path) = 0;
  // Ok if there is one.
  virtual absl::Status MakeDirectory(const std::string& path, uint32_t permissions) = 0;
  virtual absl::Status SyncDirectory(const std::string& path) = 0;
};

// The file system of this machine. It has no state of its own.
FileSystem& Disk();

}  // namespace foretell::snapshot
