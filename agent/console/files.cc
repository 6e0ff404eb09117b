#include "foretell/agent/console/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

constexpr size_t kReadMax = size_t{256} << 20;

absl::Status Failure(const std::string& path, const std::string& what) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", what, ": ", std::strerror(errno)));
}

bool WriteAll(int file, const std::string& content) {
  for (size_t done = 0; done < content.size();) {
    const ssize_t written = write(file, content.data() + done, content.size() - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<size_t>(written);
  }
  return fsync(file) == 0;
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return Failure(path, "cannot open");
  std::string content;
  char buffer[1 << 16];
  ssize_t got = 0;
  do {
    got = read(file, buffer, sizeof buffer);
    if (got > 0) content.append(buffer, static_cast<size_t>(got));
  } while ((got > 0 && content.size() <= kReadMax) || (got < 0 && errno == EINTR));
  const absl::Status failure = got < 0 ? Failure(path, "cannot read") : absl::OkStatus();
  close(file);
  if (!failure.ok()) return failure;
  if (content.size() > kReadMax) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": larger than ", kReadMax, " bytes"));
  }
  return content;
}

absl::Status WriteFileAtomically(const std::string& path, const std::string& content) {
  // Devices and pipes cannot be replaced by a rename, and nobody expects them to be.
  struct stat info;
  const bool special = stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  const std::string scratch = special ? path : absl::StrCat(path, ".", getpid(), ".tmp");
  // A process of the same number may have ended before its rename: in a container all have the
  // same.
  const int flags = O_WRONLY | O_CLOEXEC | (special ? 0 : O_CREAT | O_TRUNC | O_NOFOLLOW);
  const int file = open(scratch.c_str(), flags, 0666);
  if (file < 0) return Failure(path, "cannot write");
  bool good = WriteAll(file, content) || (special && (errno == EINVAL || errno == EROFS));
  absl::Status status = good ? absl::OkStatus() : Failure(path, "cannot write");
  if (close(file) != 0 && status.ok()) status = Failure(path, "cannot write");
  if (special) return status;
  if (status.ok() && std::rename(scratch.c_str(), path.c_str()) != 0) {
    status = Failure(path, "cannot write");
  }
  if (!status.ok()) std::remove(scratch.c_str());
  return status;
}

}  // namespace foretell::agent
