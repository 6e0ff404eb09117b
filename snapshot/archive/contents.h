#pragma once

// The contents of an archive: found by reading it, or in the index beside it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/storage/file_system.h"

namespace foretell::snapshot {

struct ArchiveContents {
  std::vector<ArchiveEntry> entries;
  std::vector<Loss> lost;  // By rising offset; only the last can be a tail.
};

// Reads the first `size` bytes of `file` and verifies them. Where there is no record it goes on at
// the next header that is followed by what it promises. InvalidArgument if a record has a later
// format: nobody may think that it is damage.
absl::StatusOr<ArchiveContents> ScanArchive(const File& file, uint64_t size);

// OK if a file of which ScanArchive found `contents` is an archive, though it may hold no record:
// what is there is then the beginning of one. InvalidArgument says what it is instead.
absl::Status ExpectArchive(const File& file, uint64_t size, const ArchiveContents& contents);

// The index is good only for an archive of exactly this shape; nothing if it is missing, old or
// damaged.
std::optional<ArchiveContents> LoadIndex(FileSystem& files, const std::string& archive,
                                         const File::Shape& shape);
absl::Status StoreIndex(FileSystem& files, const std::string& archive, const File::Shape& shape,
                        const ArchiveContents& contents);

// The Summary message of a record.
absl::StatusOr<std::string> SummaryOf(const RecordedSnapshot& recorded, uint64_t message_bytes);
absl::Status ReadSummary(const std::string& message, ArchiveEntry& entry);

}  // namespace foretell::snapshot
