#pragma once

// Snapshots on disk: one append-only file of records, and older files archive.1.ftl,
// archive.2.ftl, ... beside it. A record is a header and a Snapshot message (foretell.capnp),
// compressed with zstd.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/snapshot/protocol/recorded.h"
#include "foretell/snapshot/storage/file_system.h"

namespace foretell::snapshot {

// The summary of one record of an archive, known without unpacking it.
struct ArchiveEntry {
  uint64_t offset = 0;
  uint64_t bytes = 0;  // On disk.
  uint64_t number = 0;
  UnixTime taken;
  uint64_t cut_hash = 0;  // The same for equal cuts.
  Origin origin;
  uint64_t size = 0;   // Of the message, unpacked.
  uint32_t nodes = 0;  // Of the system, absent ones included.
  std::vector<model::NodeId> absent;
  uint64_t in_flight = 0;
  bool exact = true;
  std::vector<std::string> notes;
};

// Bytes of an archive that are no record.
struct Loss {
  uint64_t offset = 0;
  uint64_t bytes = 0;
  std::string why;
  bool tail = false;  // Nothing follows: a record is being written, or a crash left a part of one.
};

// Reads an archive as it was when it was opened, also while somebody appends to it.
class ArchiveReader {
 public:
  // Finds the records: in the index beside the archive, or else by reading the archive, which
  // verifies every checksum. What is damaged is stepped over. Fails, naming the path, if the file
  // holds no record at all.
  static absl::StatusOr<std::unique_ptr<ArchiveReader>> Open(const std::string& path,
                                                             FileSystem& files = Disk());
  virtual ~ArchiveReader() = default;

  // In the order in which they were written.
  virtual const std::vector<ArchiveEntry>& entries() const = 0;
  virtual const std::vector<Loss>& lost() const = 0;
  virtual bool from_index() const = 0;  // The index was good.

  // Thread-safe. DataLoss, naming path and offset, if the record has been damaged since.
  virtual absl::StatusOr<RecordedSnapshot> Load(const ArchiveEntry& entry) const = 0;
  // The Snapshot message alone, as stock `capnp decode` reads it.
  virtual absl::StatusOr<std::string> LoadMessage(const ArchiveEntry& entry) const = 0;
};

struct ArchiveOptions {
  uint64_t file_bytes_max = uint64_t{256}
                            << 20;  // Then the file is set aside and a new one begins.
  uint32_t files_max = 4;           // The oldest beyond that is deleted. At least 1.
  bool sync = true;                 // Every record is on the disk when Append returns.
};

// Appends to an archive. Not for several threads at once.
class ArchiveWriter {
 public:
  // Makes the file if there is none. The tail that a crash left is cut off. Fails, naming the path:
  // AlreadyExists with the pid if another process writes, InvalidArgument if the file is none of
  // ours or of a later format; nothing is changed then.
  static absl::StatusOr<std::unique_ptr<ArchiveWriter>> Open(const std::string& path,
                                                             const ArchiveOptions& options,
                                                             FileSystem& files = Disk());
  virtual ~ArchiveWriter() = default;

  // The record stays once written, even if the process is killed at once. ResourceExhausted, naming
  // path and sizes, if there is no room; the archive is then as it was, and works again once there
  // is.
  virtual absl::Status Append(const RecordedSnapshot& snapshot) = 0;

  virtual uint64_t bytes() const = 0;    // Of the current file.
  virtual uint64_t records() const = 0;  // In it.
  // Losses found when opening: damage that was stepped over, and the tail that was cut off.
  virtual const std::vector<Loss>& recovered() const = 0;
};

}  // namespace foretell::snapshot
