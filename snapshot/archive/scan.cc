#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/hash.h"
#include "foretell/snapshot/archive/contents.h"
#include "foretell/snapshot/storage/frame.h"
#include "foretell/snapshot/wire/message.h"

namespace foretell::snapshot {
namespace {

constexpr size_t kChunk = size_t{1} << 20;
// No compression makes a message much longer than it was.
constexpr uint64_t kBodyMax = kMessageMax + kMessageMax / 16;

// Where the next header may begin, from `from` on; `size` if nowhere.
absl::StatusOr<uint64_t> FindMagic(const File& file, uint64_t from, uint64_t size) {
  const std::string& magic = FrameMagic();
  while (from < size) {
    const auto bytes = file.ReadAt(from, std::min<uint64_t>(kChunk, size - from));
    if (!bytes.ok()) return bytes.status();
    if (const size_t at = bytes->find(magic); at != std::string::npos) return from + at;
    if (bytes->size() < magic.size()) break;
    from += bytes->size() - magic.size() + 1;
  }
  return size;
}

class Scanner {
 public:
  Scanner(const File& file, uint64_t size)
      : file_(file), size_(size), wasted_max_(size * 8 + kBodyMax) {}

  absl::StatusOr<ArchiveContents> Run() {
    for (uint64_t at = 0; at < size_;) {
      const absl::StatusOr<Place> place = LookAt(at);
      if (!place.ok()) return place.status();
      if (place->why.empty()) {
        EndLoss(at);
        contents_.entries.push_back(place->entry);
        at += place->entry.bytes;
        continue;
      }
      if (!loss_) loss_ = Loss{at, 0, place->why};
      const auto next = AfterDamage(at, *place);
      if (!next.ok()) return next.status();
      at = *next;
    }
    if (loss_) loss_->tail = true;
    EndLoss(size_);
    return std::move(contents_);
  }

 private:
  struct Place {
    std::string why;  // Empty: there is a record.
    ArchiveEntry entry;
    uint64_t claimed = 0;  // The bytes that an undamaged header claims; 0 if there is none.
  };

  void EndLoss(uint64_t at) {
    if (!loss_) return;
    loss_->bytes = at - loss_->offset;
    contents_.lost.push_back(*std::exchange(loss_, std::nullopt));
  }

  absl::StatusOr<Place> LookAt(uint64_t at) {
    const auto bytes = file_.ReadAt(at, std::min<uint64_t>(kFrameHeaderBytes, size_ - at));
    if (!bytes.ok()) return bytes.status();
    const auto header = ParseFrameHeader(*bytes);
    if (!header.ok()) return Place{std::string(header.status().message())};
    Place place{.claimed = kFrameHeaderBytes + header->body_bytes()};
    if (place.claimed > size_ - at) {
      place.why = absl::StrCat("record cut short: ", size_ - at, " of ", place.claimed, " bytes");
      return place;
    }
    if (header->body_bytes() > kBodyMax) return Place{"damaged header"};
    const auto body = file_.ReadAt(at + kFrameHeaderBytes, header->body_bytes());
    if (!body.ok()) return body.status();
    Judge(at, *header, *body, place);
    if (place.why.empty() && header->version > kFrameVersion) {
      return absl::InvalidArgumentError(absl::StrCat(file_.path(), ": the record at byte ", at,
                                                     " has ", VersionComplaint(header->version)));
    }
    return place;
  }

  void Judge(uint64_t at, const FrameHeader& header, const std::string& body, Place& place) {
    if (model::HashBytes(body) != header.body_hash) {
      place.why = "damaged record: its checksum does not fit";
      wasted_ += body.size();
      return;
    }
    if (header.version > kFrameVersion) return;
    if (header.kind != FrameKind::kSnapshot) {
      place.why = absl::StrCat("is a ", FrameKindName(header.kind));
      return;
    }
    place.entry.offset = at;
    place.entry.bytes = place.claimed;
    place.entry.number = header.number;
    place.entry.taken = header.taken;
    place.entry.cut_hash = header.cut_hash;
    const absl::Status read = ReadSummary(body.substr(0, header.summary_bytes), place.entry);
    if (!read.ok()) place.why = std::string(read.message());
  }

  // A header that is whole is believed about its length if another one, or the end, is there;
  // otherwise the next header can be anywhere.
  absl::StatusOr<uint64_t> AfterDamage(uint64_t at, const Place& place) {
    if (place.claimed > 0 && place.claimed <= size_ - at) {
      const uint64_t end = at + place.claimed;
      if (end == size_) return end;
      const auto bytes = file_.ReadAt(end, std::min<uint64_t>(kFrameHeaderBytes, size_ - end));
      if (!bytes.ok()) return bytes.status();
      if (ParseFrameHeader(*bytes).ok()) return end;
    }
    // Headers made to claim all that follows them could keep us hashing for ever.
    if (wasted_ > wasted_max_) return size_;
    return FindMagic(file_, at + 1, size_);
  }

  const File& file_;
  const uint64_t size_;
  const uint64_t wasted_max_;
  uint64_t wasted_ = 0;  // Bytes hashed in vain.
  ArchiveContents contents_;
  std::optional<Loss> loss_;  // Where we are.
};

}  // namespace

absl::StatusOr<ArchiveContents> ScanArchive(const File& file, uint64_t size) {
  return Scanner(file, size).Run();
}

absl::Status ExpectArchive(const File& file, uint64_t size, const ArchiveContents& contents) {
  if (!contents.entries.empty() || size == 0) return absl::OkStatus();
  const auto bytes = file.ReadAt(0, kFrameHeaderBytes);
  if (!bytes.ok()) return bytes.status();
  const auto header = ParseFrameHeader(*bytes);
  const bool torn = bytes->compare(0, FrameMagic().size(), FrameMagic(), 0, bytes->size()) == 0 ||
                    header.status().code() == absl::StatusCode::kOutOfRange ||
                    // A machine that goes down can leave a file long enough but never written.
                    bytes->find_first_not_of('\0') == std::string::npos;
  if (header.ok() ? header->kind == FrameKind::kSnapshot : torn) return absl::OkStatus();
  return absl::InvalidArgumentError(
      header.ok() ? absl::StrCat(file.path(), ": is a ", FrameKindName(header->kind),
                                 ", not an archive of snapshots")
                  : absl::StrCat(file.path(), ": not an archive of snapshots: ",
                                 std::string(header.status().message())));
}

}  // namespace foretell::snapshot
