#include "foretell/snapshot/storage/file_system.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/storage/no_size_signal.h"

namespace foretell::snapshot {
namespace {

int FlagsOf(Access access) {
  switch (access) {
    case Access::kRead: return O_RDONLY | O_NONBLOCK;
    case Access::kStream: return O_RDONLY;
    case Access::kWrite: return O_WRONLY;
    case Access::kModify: return O_RDWR | O_CREAT | O_NONBLOCK;
    case Access::kFresh: return O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK;
    case Access::kAppend: return O_WRONLY | O_APPEND | O_CREAT;
  }
  return O_RDONLY;
}

FileKind KindOf(const struct stat& info) {
  if (S_ISREG(info.st_mode)) return FileKind::kRegular;
  return S_ISDIR(info.st_mode) ? FileKind::kDirectory : FileKind::kOther;
}

// Repeats a call that a signal interrupts.
template <class Call>
auto Uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

class DiskFile final : public File {
 public:
  DiskFile(const std::string& path, int descriptor) : File(path), descriptor_(descriptor) {}
  ~DiskFile() override { close(descriptor_); }

  absl::StatusOr<Shape> Stat() const override {
    struct stat info = {};
    if (fstat(descriptor_, &info) != 0) return FileError(path(), "cannot look at", errno);
    const auto changed =
        std::chrono::seconds(info.st_mtim.tv_sec) + std::chrono::nanoseconds(info.st_mtim.tv_nsec);
    return Shape{KindOf(info), static_cast<uint64_t>(info.st_size), UnixTime(changed)};
  }

  absl::StatusOr<std::string> ReadAt(uint64_t offset, size_t size) const override {
    std::string bytes(size, '\0');
    size_t done = 0;
    while (done < size) {
      const ssize_t got = Uninterrupted([&] {
        return pread(descriptor_, bytes.data() + done, size - done,
                     static_cast<off_t>(offset + done));
      });
      if (got < 0) return FileError(path(), "cannot read", errno);
      if (got == 0) break;
      done += static_cast<size_t>(got);
    }
    bytes.resize(done);
    return bytes;
  }

  absl::StatusOr<std::string> ReadNext(size_t size) override {
    std::string bytes(size, '\0');
    const ssize_t got = Uninterrupted([&] { return read(descriptor_, bytes.data(), size); });
    if (got < 0) return FileError(path(), "cannot read", errno);
    bytes.resize(static_cast<size_t>(got));
    return bytes;
  }

  absl::Status WriteAt(uint64_t offset, const std::string& bytes) override {
    const NoSizeSignal quiet;
    for (size_t done = 0; done < bytes.size();) {
      const ssize_t written = Uninterrupted([&] {
        return pwrite(descriptor_, bytes.data() + done, bytes.size() - done,
                      static_cast<off_t>(offset + done));
      });
      if (written < 0) return FileError(path(), "cannot write", errno);
      done += static_cast<size_t>(written);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<size_t> Append(const std::string& bytes) override {
    const NoSizeSignal quiet;
    const ssize_t written =
        Uninterrupted([&] { return write(descriptor_, bytes.data(), bytes.size()); });
    if (written < 0) return FileError(path(), "cannot write", errno);
    return static_cast<size_t>(written);
  }

  absl::Status Sync() override { return Done(fdatasync(descriptor_), "cannot sync"); }

  absl::Status Truncate(uint64_t size) override {
    return Done(Uninterrupted([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }),
                "cannot cut");
  }

  absl::Status TryLock() override {
    const int locked = flock(descriptor_, LOCK_EX | LOCK_NB);
    if (locked == 0 || errno != EWOULDBLOCK) return Done(locked, "cannot lock");
    return absl::AlreadyExistsError(absl::StrCat(path(), ": is being written by another process"));
  }

 private:
  absl::Status Done(int result, const char* complaint) const {
    return result == 0 ? absl::OkStatus() : FileError(path(), complaint, errno);
  }

  const int descriptor_;
};

class DiskFileSystem final : public FileSystem {
 public:
  absl::StatusOr<std::unique_ptr<File>> Open(const std::string& path,
                                             const Opening& opening) override {
    const int descriptor =
        open(path.c_str(), FlagsOf(opening.access) | O_CLOEXEC, opening.permissions);
    if (descriptor < 0) return FileError(path, "cannot open", errno);
    return std::make_unique<DiskFile>(path, descriptor);
  }

  Look LookAt(const std::string& path) const override {
    struct stat info = {};
    const bool link = lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
    return {stat(path.c_str(), &info) == 0 ? KindOf(info) : FileKind::kMissing, link};
  }

  absl::Status Rename(const std::string& from, const std::string& to) override {
    if (std::rename(from.c_str(), to.c_str()) == 0) return absl::OkStatus();
    return FileError(from, absl::StrCat("cannot rename to ", to), errno);
  }

  absl::Status Remove(const std::string& path) override {
    if (unlink(path.c_str()) == 0) return absl::OkStatus();
    return FileError(path, "cannot delete", errno);
  }

  absl::Status MakeDirectory(const std::string& path, uint32_t permissions) override {
    if (mkdir(path.c_str(), permissions) == 0 || errno == EEXIST) return absl::OkStatus();
    return FileError(path, "cannot make directory", errno);
  }

  absl::Status SyncDirectory(const std::string& path) override {
    const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return FileError(path, "cannot open", errno);
    const bool synced = fsync(descriptor) == 0;
    const int error = errno;
    close(descriptor);
    return synced ? absl::OkStatus() : FileError(path, "cannot sync", error);
  }
};

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

FileSystem& Disk() {
  static DiskFileSystem disk;
  return disk;
}

}  // namespace foretell::snapshot
