#include "foretell/snapshot/storage/frame.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "foretell/model/hash.h"
#include "foretell/snapshot/storage/file.h"

namespace foretell::snapshot {
namespace {

constexpr size_t kHashedBytes = kFrameHeaderBytes - 8;
constexpr uint64_t kFrameFileMax = uint64_t{1} << 30;

void Append(std::string& out, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

uint64_t Take(const std::string& in, size_t& at, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) {
    value |= static_cast<uint64_t>(static_cast<unsigned char>(in[at + i])) << (8 * i);
  }
  at += bytes;
  return value;
}

}  // namespace

// The first byte is no text, and a transfer that changes line ends changes the rest.
const std::string& FrameMagic() {
  static const std::string kMagic(
      "\x8e"
      "FTL\r\n\x1a\n",
      8);
  return kMagic;
}

const char* FrameKindName(FrameKind kind) {
  switch (kind) {
    case FrameKind::kSnapshot: return "archive of snapshots";
    case FrameKind::kBundle: return "bundle";
    case FrameKind::kIndex: return "index of an archive";
  }
  return "file of an unknown kind";
}

std::string VersionComplaint(uint16_t version) {
  return absl::StrCat("format version ", version, ", this build reads up to ", kFrameVersion);
}

std::string MakeFrame(FrameHeader header, const std::string& summary, const std::string& payload) {
  const std::string body = summary + payload;
  std::string frame = FrameMagic();
  frame.reserve(kFrameHeaderBytes + body.size());
  Append(frame, header.version, 2);
  Append(frame, static_cast<uint64_t>(header.kind), 2);
  Append(frame, summary.size(), 4);
  Append(frame, payload.size(), 8);
  Append(frame, static_cast<uint64_t>(header.taken.time_since_epoch().count()), 8);
  Append(frame, header.number, 8);
  Append(frame, header.cut_hash, 8);
  Append(frame, model::HashBytes(body), 8);
  Append(frame, model::HashBytes(frame), 8);
  return frame + body;
}

absl::StatusOr<FrameHeader> ParseFrameHeader(const std::string& bytes) {
  const std::string& magic = FrameMagic();
  if (bytes.compare(0, magic.size(), magic, 0, std::min(magic.size(), bytes.size())) != 0) {
    return absl::InvalidArgumentError("no header");
  }
  if (bytes.size() < kFrameHeaderBytes) return absl::OutOfRangeError("header cut short");
  size_t at = kHashedBytes;
  if (Take(bytes, at, 8) != model::HashBytes(bytes.substr(0, kHashedBytes))) {
    return absl::InvalidArgumentError("damaged header");
  }
  at = magic.size();
  FrameHeader header;
  header.version = static_cast<uint16_t>(Take(bytes, at, 2));
  header.kind = static_cast<FrameKind>(Take(bytes, at, 2));
  header.summary_bytes = static_cast<uint32_t>(Take(bytes, at, 4));
  header.payload_bytes = Take(bytes, at, 8);
  header.taken = UnixTime(std::chrono::nanoseconds(static_cast<int64_t>(Take(bytes, at, 8))));
  header.number = Take(bytes, at, 8);
  header.cut_hash = Take(bytes, at, 8);
  header.body_hash = Take(bytes, at, 8);
  if (header.payload_bytes > UINT64_MAX / 2) return absl::InvalidArgumentError("damaged header");
  return header;
}

absl::StatusOr<FrameKind> KindOfFile(const std::string& path, FileSystem& files) {
  const auto file = OpenRegular(files, path, {Access::kRead});
  if (!file.ok()) return file.status();
  const auto bytes = (*file)->ReadAt(0, kFrameHeaderBytes);
  if (!bytes.ok()) return bytes.status();
  if (bytes->empty()) return absl::InvalidArgumentError(absl::StrCat(path, ": is empty"));
  const auto header = ParseFrameHeader(*bytes);
  if (header.ok() && header->version <= kFrameVersion) return header->kind;
  const std::string why =
      header.ok() ? VersionComplaint(header->version) : std::string(header.status().message());
  return absl::InvalidArgumentError(absl::StrCat(path, ": not a file of foretell: ", why));
}

absl::StatusOr<Frame> ReadFrameFile(const std::string& path, FrameKind kind, FileSystem& files) {
  const auto is = KindOfFile(path, files);
  if (!is.ok()) return is.status();
  const auto complain = [&](const std::string& why) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", why));
  };
  if (*is != kind) {
    return complain(
        absl::StrCat("is an ", FrameKindName(*is), ", a ", FrameKindName(kind), " is needed"));
  }
  const auto file = OpenRegular(files, path, {Access::kRead});
  if (!file.ok()) return file.status();
  const auto shape = (*file)->Stat();
  if (!shape.ok()) return shape.status();
  if (shape->size > kFrameFileMax) {
    return complain(absl::StrCat("has ", shape->size, " bytes, at most ", kFrameFileMax));
  }
  auto bytes = (*file)->ReadAt(0, shape->size);
  if (!bytes.ok()) return bytes.status();
  const auto header = ParseFrameHeader(*bytes);
  if (!header.ok()) return complain(std::string(header.status().message()));
  const uint64_t there = bytes->size() - kFrameHeaderBytes;
  if (there != header->body_bytes()) {
    return complain(
        absl::StrCat("has ", there, " bytes after its header, expected ", header->body_bytes()));
  }
  bytes->erase(0, kFrameHeaderBytes);
  if (model::HashBytes(*bytes) != header->body_hash)
    return complain("damaged: the checksum does not fit");
  return Frame{*header, bytes->substr(header->summary_bytes)};
}

}  // namespace foretell::snapshot
