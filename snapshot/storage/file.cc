#include "foretell/snapshot/storage/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/storage/no_size_signal.h"

namespace foretell::snapshot {
namespace {

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

absl::Status FileError(const std::string& path, const std::string& what, int error) {
  const std::string text = absl::StrCat(path, ": ", what, ": ", std::strerror(error));
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return absl::ResourceExhaustedError(text);
    case ENOENT: return absl::NotFoundError(text);
    case EACCES:
    case EPERM:
    case EROFS: return absl::PermissionDeniedError(text);
    default: return absl::UnavailableError(text);
  }
}

absl::StatusOr<File> File::Open(const std::string& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0644);
  if (descriptor < 0) return FileError(path, "cannot open", errno);
  return File(path, descriptor);
}

absl::StatusOr<File> File::OpenRegular(const std::string& path, int flags) {
  auto file = Open(path, flags);
  if (!file.ok()) return file.status();
  struct stat info = {};
  if (fstat(file->descriptor_, &info) != 0) return FileError(path, "cannot open", errno);
  if (S_ISREG(info.st_mode)) return file;
  return absl::InvalidArgumentError(
      absl::StrCat(path, S_ISDIR(info.st_mode) ? ": is a directory" : ": is not a regular file"));
}

File::~File() {
  if (descriptor_ >= 0) close(descriptor_);
}

File::File(File&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

absl::StatusOr<File::Shape> File::Stat() const {
  struct stat info = {};
  if (fstat(descriptor_, &info) != 0) return FileError(path_, "cannot look at", errno);
  return Shape{static_cast<uint64_t>(info.st_size),
               int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

absl::StatusOr<std::string> File::ReadAt(uint64_t offset, size_t size) const {
  std::string bytes(size, '\0');
  size_t done = 0;
  while (done < size) {
    const ssize_t got =
        pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError(path_, "cannot read", errno);
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

absl::Status File::WriteAt(uint64_t offset, const std::string& bytes) {
  const NoSizeSignal quiet;
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t written = pwrite(descriptor_, bytes.data() + done, bytes.size() - done,
                                   static_cast<off_t>(offset + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError(path_, "cannot write", errno);
    done += static_cast<size_t>(written);
  }
  return absl::OkStatus();
}

absl::Status File::Sync() {
  return fdatasync(descriptor_) == 0 ? absl::OkStatus() : FileError(path_, "cannot sync", errno);
}

absl::Status File::Truncate(uint64_t size) {
  while (ftruncate(descriptor_, static_cast<off_t>(size)) != 0) {
    if (errno != EINTR) return FileError(path_, "cannot cut", errno);
  }
  return absl::OkStatus();
}

absl::Status File::TryLock() {
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return absl::OkStatus();
  if (errno != EWOULDBLOCK) return FileError(path_, "cannot lock", errno);
  return absl::AlreadyExistsError(absl::StrCat(path_, ": is being written by another process"));
}

absl::Status SyncDirectoryOf(const std::string& path) {
  auto directory = File::Open(DirectoryOf(path), O_RDONLY | O_DIRECTORY);
  if (!directory.ok()) return directory.status();
  if (fsync(directory->descriptor()) == 0) return absl::OkStatus();
  return FileError(directory->path(), "cannot sync", errno);
}

absl::Status ReplaceFile(const std::string& path, const std::string& bytes) {
  // Two threads or processes must not write into one scratch file.
  const std::string scratch =
      absl::StrCat(path, ".", getpid(), "-", static_cast<uint64_t>(gettid()), ".tmp");
  absl::Status status;
  {
    auto file = File::Open(scratch, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.ok()) return file.status();
    status = file->WriteAt(0, bytes);
    if (status.ok()) status = file->Sync();
  }
  if (status.ok() && std::rename(scratch.c_str(), path.c_str()) != 0) {
    status = FileError(path, "cannot replace", errno);
  }
  if (status.ok()) return SyncDirectoryOf(path);
  std::remove(scratch.c_str());
  return status;
}

}  // namespace foretell::snapshot
