#include "foretell/snapshot/storage/file.h"

#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace foretell::snapshot {
namespace {

std::string DirectoryOf(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

absl::Status Fill(FileSystem& files, File& file, const std::string& path,
                  const std::string& bytes) {
  absl::Status status = file.WriteAt(0, bytes);
  if (status.ok()) status = file.Sync();
  if (status.ok()) status = files.Rename(file.path(), path);
  return status;
}

}  // namespace

absl::StatusOr<std::unique_ptr<File>> OpenRegular(FileSystem& files, const std::string& path,
                                                  const Opening& opening) {
  auto file = files.Open(path, opening);
  if (!file.ok()) return file.status();
  const auto shape = (*file)->Stat();
  if (!shape.ok()) return shape.status();
  if (shape->kind == FileKind::kRegular) return file;
  const bool directory = shape->kind == FileKind::kDirectory;
  return absl::InvalidArgumentError(
      absl::StrCat(path, directory ? ": is a directory" : ": is not a regular file"));
}

absl::StatusOr<std::string> ReadWhole(FileSystem& files, const std::string& path, size_t size_max) {
  auto file = files.Open(path, {Access::kStream});
  if (!file.ok()) return file.status();
  constexpr size_t kChunk = size_t{1} << 16;
  std::string whole;
  while (true) {
    const auto bytes = (*file)->ReadNext(kChunk);
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty()) return whole;
    whole += *bytes;
    if (whole.size() <= size_max) continue;
    return absl::InvalidArgumentError(absl::StrCat(path, ": larger than ", size_max, " bytes"));
  }
}

absl::Status SyncDirectoryOf(FileSystem& files, const std::string& path) {
  return files.SyncDirectory(DirectoryOf(path));
}

absl::StatusOr<std::unique_ptr<File>> ReplaceThrough(FileSystem& files, const std::string& scratch,
                                                     const std::string& path,
                                                     const std::string& bytes,
                                                     uint32_t permissions) {
  auto file = files.Open(scratch, {Access::kFresh, permissions});
  absl::Status status = file.ok() ? Fill(files, **file, path, bytes) : file.status();
  if (!status.ok()) {
    if (file.ok()) files.Remove(scratch).IgnoreError();
    // Nobody asked for the scratch file.
    return absl::Status(status.code(),
                        absl::StrReplaceAll(std::string(status.message()), {{scratch, path}}));
  }
  (*file)->set_path(path);
  status = SyncDirectoryOf(files, path);
  if (!status.ok()) return status;
  return file;
}

absl::Status ReplaceFile(FileSystem& files, const std::string& path, const std::string& bytes,
                         uint32_t permissions) {
  // Two threads or processes must not write into one scratch file.
  const std::string scratch =
      absl::StrCat(path, ".", getpid(), "-", static_cast<uint64_t>(gettid()), ".tmp");
  return ReplaceThrough(files, scratch, path, bytes, permissions).status();
}

}  // namespace foretell::snapshot
