#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/hash.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/archive/contents.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/storage/file.h"
#include "foretell/snapshot/storage/frame.h"
#include "foretell/snapshot/wire/message.h"

namespace foretell::snapshot {
namespace {

// Smaller archives are read faster than an index is worth.
constexpr uint64_t kIndexedFrom = uint64_t{1} << 20;

class Reader final : public ArchiveReader {
 public:
  Reader(std::unique_ptr<File> file, uint64_t size, ArchiveContents contents, bool from_index)
      : file_(std::move(file)),
        size_(size),
        contents_(std::move(contents)),
        from_index_(from_index) {}

  const std::vector<ArchiveEntry>& entries() const override { return contents_.entries; }
  const std::vector<Loss>& lost() const override { return contents_.lost; }
  bool from_index() const override { return from_index_; }

  absl::StatusOr<std::string> LoadMessage(const ArchiveEntry& entry) const override {
    const auto damaged = [&](const std::string& why) {
      return absl::DataLossError(
          absl::StrCat(file_->path(), ": the record at byte ", entry.offset, ": ", why));
    };
    if (entry.offset > size_ || entry.bytes > size_ - entry.offset) return damaged("not there");
    auto bytes = file_->ReadAt(entry.offset, entry.bytes);
    if (!bytes.ok()) return bytes.status();
    const auto header = ParseFrameHeader(*bytes);
    if (!header.ok()) return damaged(std::string(header.status().message()));
    bytes->erase(0, kFrameHeaderBytes);
    if (bytes->size() != header->body_bytes() || model::HashBytes(*bytes) != header->body_hash) {
      return damaged("its checksum does not fit");
    }
    auto message = Decompress(bytes->substr(header->summary_bytes), kMessageMax);
    if (!message.ok()) return damaged(std::string(message.status().message()));
    return message;
  }

  absl::StatusOr<RecordedSnapshot> Load(const ArchiveEntry& entry) const override {
    const auto message = LoadMessage(entry);
    if (!message.ok()) return message.status();
    RecordedSnapshot recorded;
    const absl::Status read = FromMessage<wire::Snapshot>(*message, recorded);
    if (read.ok()) return recorded;
    return absl::DataLossError(absl::StrCat(file_->path(), ": the record at byte ", entry.offset,
                                            ": ", std::string(read.message())));
  }

 private:
  const std::unique_ptr<File> file_;
  const uint64_t size_;
  const ArchiveContents contents_;
  const bool from_index_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ArchiveReader>> ArchiveReader::Open(const std::string& path,
                                                                   FileSystem& files) {
  auto file = OpenRegular(files, path, {Access::kRead});
  if (!file.ok()) return file.status();
  const auto shape = (*file)->Stat();
  if (!shape.ok()) return shape.status();
  if (shape->size == 0) return absl::InvalidArgumentError(absl::StrCat(path, ": is empty"));
  if (auto indexed = LoadIndex(files, path, *shape)) {
    return std::make_unique<Reader>(*std::move(file), shape->size, *std::move(indexed), true);
  }
  auto contents = ScanArchive(**file, shape->size);
  if (!contents.ok()) return contents.status();
  if (absl::Status ours = ExpectArchive(**file, shape->size, *contents); !ours.ok()) return ours;
  if (contents->entries.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": holds no whole record: ", contents->lost.front().why));
  }
  // An index is a convenience; where we may not write there is none.
  if (shape->size >= kIndexedFrom) StoreIndex(files, path, *shape, *contents).IgnoreError();
  return std::make_unique<Reader>(*std::move(file), shape->size, *std::move(contents), false);
}

}  // namespace foretell::snapshot
