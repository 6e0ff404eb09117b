#include "foretell/agent/console/files.h"

#include "foretell/snapshot/storage/file.h"

namespace foretell::agent {
namespace {

constexpr size_t kReadMax = size_t{256} << 20;

// Files are arguments here: whatever is wrong with one, another has to be named.
absl::Status AsArgument(const absl::Status& status) {
  return status.ok() ? status : absl::InvalidArgumentError(status.message());
}

absl::Status WriteInto(snapshot::FileSystem& files, const std::string& path, std::string content) {
  const auto file = files.Open(path, {snapshot::Access::kWrite});
  if (!file.ok()) return file.status();
  while (!content.empty()) {
    const auto written = (*file)->Append(content);
    if (!written.ok()) return written.status();
    content.erase(0, *written);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  auto content = snapshot::ReadWhole(snapshot::Disk(), path, kReadMax);
  if (!content.ok()) return AsArgument(content.status());
  return content;
}

absl::Status WriteFileAtomically(const std::string& path, const std::string& content,
                                 snapshot::FileSystem& files) {
  // Devices and pipes cannot be replaced by a rename, and nobody expects them to be.
  const snapshot::FileKind kind = files.LookAt(path).kind;
  const bool replaced =
      kind == snapshot::FileKind::kMissing || kind == snapshot::FileKind::kRegular;
  return AsArgument(replaced ? snapshot::ReplaceFile(files, path, content, 0666)
                             : WriteInto(files, path, content));
}

}  // namespace foretell::agent
