#pragma once

// The layout on disk of anything that we keep: a header of fixed size that names what follows, and
// a body. Numbers are little-endian.

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/snapshot/storage/file_system.h"
#include "foretell/snapshot/storage/unix_time.h"

namespace foretell::snapshot {

enum class FrameKind : uint16_t { kSnapshot = 1, kBundle = 2, kIndex = 3 };
// "archive of snapshots", "bundle", "index of an archive": the file that begins with one.
const char* FrameKindName(FrameKind kind);

inline constexpr uint16_t kFrameVersion = 1;
inline constexpr size_t kFrameHeaderBytes = 64;

struct FrameHeader {
  uint16_t version = kFrameVersion;
  FrameKind kind = FrameKind::kSnapshot;
  uint32_t summary_bytes = 0;  // A message, not compressed.
  uint64_t payload_bytes = 0;  // A message, one frame of zstd.
  UnixTime taken;
  uint64_t number = 0;
  uint64_t cut_hash = 0;
  uint64_t body_hash = 0;  // XXH3 of summary and payload.

  uint64_t body_bytes() const { return summary_bytes + payload_bytes; }
};

// Header and body; fills in the sizes and the hash.
std::string MakeFrame(FrameHeader header, const std::string& summary, const std::string& payload);

// Reads the header at the start of `bytes`. OutOfRange if they are the beginning of one;
// InvalidArgument if they are none. Version and sizes of a later format can be read: their place
// and that of the header's own checksum never change.
absl::StatusOr<FrameHeader> ParseFrameHeader(const std::string& bytes);

// The bytes that every header begins with.
const std::string& FrameMagic();

// The whole of a file that is one frame of `kind`; errors name the path. Everything is verified
// but what the payload means. The payload is not unpacked.
struct Frame {
  FrameHeader header;
  std::string payload;
};
absl::StatusOr<Frame> ReadFrameFile(const std::string& path, FrameKind kind,
                                    FileSystem& files = Disk());

// The kind of the file `path`. InvalidArgument, NotFound...: it is none of ours.
absl::StatusOr<FrameKind> KindOfFile(const std::string& path, FileSystem& files = Disk());

// "format version 2, this build reads up to 1".
std::string VersionComplaint(uint16_t version);

}  // namespace foretell::snapshot
