#include "foretell/snapshot/storage/rotation.h"

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"

namespace foretell::snapshot {
std::string AgedPath(const std::string& path, uint32_t age) {
  const size_t slash = path.rfind('/');
  const size_t dot = path.rfind('.');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  const size_t stem = dot == std::string::npos || dot <= name ? path.size() : dot;
  return absl::StrCat(path.substr(0, stem), ".", age, path.substr(stem));
}

absl::Status SetAside(FileSystem& files, const std::string& path, uint32_t files_max) {
  FORETELL_CHECK(files_max > 0);
  const auto exists = [&files](const std::string& file) {
    return files.LookAt(file).kind != FileKind::kMissing;
  };
  // An earlier call may have got this far, and its caller no further.
  if (!exists(path)) return absl::OkStatus();
  if (files_max == 1) return files.Remove(path);
  uint32_t gap = 1;
  while (gap + 1 < files_max && exists(AgedPath(path, gap))) ++gap;
  for (; gap > 1; --gap) {
    absl::Status status = files.Rename(AgedPath(path, gap - 1), AgedPath(path, gap));
    if (!status.ok()) return status;
  }
  return files.Rename(path, AgedPath(path, 1));
}

}  // namespace foretell::snapshot
