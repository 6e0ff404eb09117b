#include "foretell/snapshot/storage/line_file.h"

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/storage/file.h"
#include "foretell/snapshot/storage/rotation.h"

namespace foretell::snapshot {
namespace {

constexpr Opening kLines{Access::kAppend, 0640};

// Empty if it cannot be read.
std::string LastByte(FileSystem& files, const std::string& path, uint64_t size) {
  const auto file = files.Open(path, {Access::kRead});
  return file.ok() ? (*file)->ReadAt(size - 1, 1).value_or("") : "";
}

}  // namespace

absl::StatusOr<std::unique_ptr<LineFile>> LineFile::Open(Options options, FileSystem& files) {
  auto file = files.Open(options.path, kLines);
  if (!file.ok()) return file.status();
  std::unique_ptr<LineFile> lines(new LineFile(files, std::move(options), *std::move(file)));
  if (absl::Status begun = lines->Begin(); !begun.ok()) return begun;
  return lines;
}

absl::Status LineFile::Begin() {
  const auto shape = file_->Stat();
  if (!shape.ok()) return shape.status();
  size_ = shape->size;
  // Pipes, terminals and links are somebody else's to rename.
  const bool plain = shape->kind == FileKind::kRegular && !files_.LookAt(options_.path).link;
  if (!plain) options_.size_max = UINT64_MAX;
  name_unsynced_ = plain;
  if (plain && size_ > 0) torn_ = LastByte(files_, options_.path, size_) != "\n";
  return absl::OkStatus();
}

absl::Status LineFile::Append(const std::string& line) {
  const std::string bytes = absl::StrCat(torn_ ? "\n" : "", line, "\n");
  if (size_ > 0 && bytes.size() > options_.size_max - std::min(size_, options_.size_max)) Rotate();
  const auto written = file_->Append(bytes);
  if (!written.ok()) return written.status();
  size_ += *written;
  torn_ = *written < bytes.size();
  if (torn_) {
    // What a part of a line means; the call itself has not failed.
    return FileError(options_.path, absl::StrCat("took ", *written, " of ", bytes.size(), " bytes"),
                     ENOSPC);
  }
  return options_.sync ? Sync() : absl::OkStatus();
}

absl::Status LineFile::Sync() {
  absl::Status status = file_->Sync();
  if (!status.ok() || !name_unsynced_) return status;
  status = SyncDirectoryOf(files_, options_.path);
  name_unsynced_ = !status.ok();
  return status;
}

void LineFile::Rotate() {
  if (!SetAside(files_, options_.path, options_.files_max).ok()) return;
  name_unsynced_ = true;
  auto fresh = files_.Open(options_.path, kLines);
  if (!fresh.ok()) return;  // What is written now is in the file that was set aside.
  file_ = *std::move(fresh);
  size_ = 0;
  torn_ = false;
}

class LineStream::Buffer : public std::stringbuf {
 public:
  explicit Buffer(std::unique_ptr<LineFile> file) : file_(std::move(file)) {}
  int sync() override {
    std::string text = str();
    str("");
    if (text.ends_with('\n')) text.pop_back();
    return text.empty() || file_->Append(text).ok() ? 0 : -1;
  }

 private:
  std::unique_ptr<LineFile> file_;
};

LineStream::LineStream(std::unique_ptr<LineFile> file)
    : std::ostream(nullptr), buffer_(std::make_unique<Buffer>(std::move(file))) {
  rdbuf(buffer_.get());
}

LineStream::~LineStream() = default;

}  // namespace foretell::snapshot
