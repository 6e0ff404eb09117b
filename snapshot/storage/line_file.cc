#include "foretell/snapshot/storage/line_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/storage/file.h"
#include "foretell/snapshot/storage/rotation.h"

namespace foretell::agent {
namespace {

int OpenAt(const std::string& path) {
  return open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
}

uint64_t SizeOf(int file) {
  struct stat info = {};
  return fstat(file, &info) == 0 ? static_cast<uint64_t>(info.st_size) : 0;
}

// Pipes, terminals and links are somebody else's to rename.
bool IsPlainFile(const std::string& path) {
  struct stat info = {};
  return lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

}  // namespace

absl::StatusOr<std::unique_ptr<LineFile>> LineFile::Open(Options options) {
  const int file = OpenAt(options.path);
  if (file < 0) {
    return absl::UnavailableError(
        absl::StrCat(options.path, ": cannot be opened: ", std::strerror(errno)));
  }
  if (!IsPlainFile(options.path)) options.size_max = UINT64_MAX;
  return std::unique_ptr<LineFile>(new LineFile(std::move(options), file, SizeOf(file)));
}

LineFile::~LineFile() { close(file_); }

absl::Status LineFile::Failed(const std::string& what) const {
  return absl::UnavailableError(
      absl::StrCat(options_.path, ": ", what, ": ", std::strerror(errno)));
}

absl::Status LineFile::Append(const std::string& line) {
  const std::string bytes = absl::StrCat(torn_ ? "\n" : "", line, "\n");
  if (size_ > 0 && bytes.size() > options_.size_max - std::min(size_, options_.size_max)) Rotate();
  // One call, so that a reader or a second writer never sees half a line between others.
  const ssize_t written = write(file_, bytes.data(), bytes.size());
  if (written < 0) return Failed("cannot be written to");
  size_ += static_cast<uint64_t>(written);
  torn_ = written < static_cast<ssize_t>(bytes.size());
  if (torn_) {
    errno = ENOSPC;  // What a part of a line means; the call itself has not failed.
    return Failed(absl::StrCat("took ", written, " of ", bytes.size(), " bytes"));
  }
  if (options_.sync && fdatasync(file_) != 0) return Failed("cannot be synced");
  return absl::OkStatus();
}

void LineFile::Rotate() {
  if (!snapshot::SetAside(options_.path, options_.files_max).ok()) return;
  const int fresh = OpenAt(options_.path);
  if (fresh < 0) return;  // What is written now is in the file that was set aside.
  close(std::exchange(file_, fresh));
  size_ = 0;
  torn_ = false;
  if (options_.sync) snapshot::SyncDirectoryOf(options_.path).IgnoreError();
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

}  // namespace foretell::agent
