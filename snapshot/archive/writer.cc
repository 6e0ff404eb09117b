#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/hash.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/archive/contents.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/storage/file.h"
#include "foretell/snapshot/storage/frame.h"
#include "foretell/snapshot/storage/rotation.h"
#include "foretell/snapshot/wire/message.h"

namespace foretell::snapshot {
namespace {

// The lock lives in a file of its own, so that it outlasts rotation, and ends with the process
// however it ends. The pid inside is for people.
absl::StatusOr<std::unique_ptr<File>> Lock(FileSystem& files, const std::string& path) {
  auto lock = OpenRegular(files, path + ".lock", {Access::kModify});
  if (!lock.ok()) return lock.status();
  if (absl::Status locked = (*lock)->TryLock(); !locked.ok()) {
    if (!absl::IsAlreadyExists(locked)) return locked;
    std::string pid = (*lock)->ReadAt(0, 16).value_or("");
    pid.erase(std::min(pid.find('\n'), pid.size()));
    return absl::AlreadyExistsError(
        absl::StrCat(path, ": is being written by process ", pid.empty() ? "(unknown)" : pid));
  }
  absl::Status noted = (*lock)->Truncate(0);
  if (noted.ok()) noted = (*lock)->WriteAt(0, absl::StrCat(getpid(), "\n"));
  noted.IgnoreError();  // On a full disk the lock counts all the same.
  return lock;
}

class Writer final : public ArchiveWriter {
 public:
  Writer(FileSystem& files, std::unique_ptr<File> lock, std::unique_ptr<File> file,
         ArchiveOptions options)
      : files_(files),
        lock_(std::move(lock)),
        file_(std::move(file)),
        path_(file_->path()),
        options_(std::move(options)) {}

  // Finds the end of what is good, and cuts off the rest.
  absl::Status Recover() {
    const auto shape = file_->Stat();
    if (!shape.ok()) return shape.status();
    auto contents = ScanArchive(*file_, shape->size);
    if (!contents.ok()) return contents.status();
    absl::Status status = ExpectArchive(*file_, shape->size, *contents);
    if (!status.ok()) return status;
    recovered_ = std::move(contents->lost);
    records_ = contents->entries.size();
    size_ = shape->size;
    if (!recovered_.empty() && recovered_.back().tail) {
      size_ = recovered_.back().offset;
      status = file_->Truncate(size_);
    }
    if (status.ok()) status = file_->Sync();
    return status.ok() ? SyncDirectoryOf(files_, path_) : status;
  }

  absl::Status Append(const RecordedSnapshot& snapshot) override {
    const auto frame = FrameOf(snapshot);
    if (!frame.ok()) return frame.status();
    if (frame->size() > options_.file_bytes_max) {
      return absl::ResourceExhaustedError(absl::StrCat(path_, ": a record of ", frame->size(),
                                                       " bytes, a file holds at most ",
                                                       options_.file_bytes_max));
    }
    absl::Status status;
    if (frame->size() > options_.file_bytes_max - std::min(size_, options_.file_bytes_max)) {
      status = Rotate();
    }
    if (status.ok() && torn_) status = CutBack();
    if (status.ok()) status = Write(*frame);
    if (status.ok()) return status;
    return absl::Status(status.code(),
                        absl::StrCat(std::string(status.message()), " (a record of ", frame->size(),
                                     " bytes after ", size_, " bytes)"));
  }

  uint64_t bytes() const override { return size_; }
  uint64_t records() const override { return records_; }
  const std::vector<Loss>& recovered() const override { return recovered_; }

 private:
  static absl::StatusOr<std::string> FrameOf(const RecordedSnapshot& snapshot) {
    const auto message = ToMessage<wire::Snapshot>(snapshot);
    if (!message.ok()) return message.status();
    const auto summary = SummaryOf(snapshot, message->size());
    if (!summary.ok()) return summary.status();
    const auto cut = ToMessage<wire::Cut>(snapshot.snapshot.cut);
    if (!cut.ok()) return cut.status();
    return MakeFrame({.kind = FrameKind::kSnapshot,
                      .taken = snapshot.taken,
                      .number = snapshot.snapshot.number,
                      .cut_hash = model::HashBytes(*cut)},
                     *summary, Compress(*message));
  }

  absl::Status Write(const std::string& frame) {
    absl::Status status = file_->WriteAt(size_, frame);
    if (status.ok() && options_.sync) status = Sync();
    if (status.ok()) {
      size_ += frame.size();
      ++records_;
      return status;
    }
    torn_ = true;
    CutBack().IgnoreError();  // Tried again before the next record.
    return status;
  }

  absl::Status Sync() {
    absl::Status status = file_->Sync();
    return status.ok() && renamed_ ? SyncName() : status;
  }

  absl::Status SyncName() {
    absl::Status status = SyncDirectoryOf(files_, path_);
    if (status.ok()) renamed_ = false;
    return status;
  }

  absl::Status CutBack() {
    absl::Status status = file_->Truncate(size_);
    if (status.ok()) torn_ = false;
    return status;
  }

  // Sets the file aside as number 1 and begins a new one.
  absl::Status Rotate() {
    auto fresh = files_.Open(path_ + ".new", {Access::kFresh});
    if (!fresh.ok()) return fresh.status();
    absl::Status status = torn_ ? CutBack() : absl::OkStatus();
    if (status.ok()) status = file_->Sync();
    // A single file is not set aside: there would be a moment without any.
    if (status.ok() && options_.files_max > 1) status = SetAside(files_, path_, options_.files_max);
    if (status.ok()) status = files_.Rename((*fresh)->path(), path_);
    if (!status.ok()) return status;
    (*fresh)->set_path(path_);
    file_ = *std::move(fresh);
    size_ = 0;
    records_ = 0;
    renamed_ = true;
    return SyncName();
  }

  FileSystem& files_;
  const std::unique_ptr<File> lock_;
  std::unique_ptr<File> file_;
  const std::string path_;
  const ArchiveOptions options_;
  std::vector<Loss> recovered_;
  uint64_t size_ = 0;  // Of the whole records.
  uint64_t records_ = 0;
  bool renamed_ = false;  // A power failure could take the file away, with all of its records.
  bool torn_ = false;     // A part of a record that could not be written may follow them.
};

}  // namespace

absl::StatusOr<std::unique_ptr<ArchiveWriter>> ArchiveWriter::Open(const std::string& path,
                                                                   const ArchiveOptions& options,
                                                                   FileSystem& files) {
  auto lock = Lock(files, path);
  if (!lock.ok()) return lock.status();
  auto file = OpenRegular(files, path, {Access::kModify});
  if (!file.ok()) return file.status();
  auto writer = std::make_unique<Writer>(files, *std::move(lock), *std::move(file), options);
  if (absl::Status recovered = writer->Recover(); !recovered.ok()) return recovered;
  return writer;
}

}  // namespace foretell::snapshot
