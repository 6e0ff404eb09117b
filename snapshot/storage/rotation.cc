#include "foretell/snapshot/storage/rotation.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"
#include "foretell/snapshot/storage/file.h"

namespace foretell::snapshot {
namespace {

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

absl::Status Rename(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) == 0) return absl::OkStatus();
  return FileError(from, absl::StrCat("cannot rename to ", to), errno);
}

}  // namespace

std::string AgedPath(const std::string& path, uint32_t age) {
  const size_t slash = path.rfind('/');
  const size_t dot = path.rfind('.');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  const size_t stem = dot == std::string::npos || dot <= name ? path.size() : dot;
  return absl::StrCat(path.substr(0, stem), ".", age, path.substr(stem));
}

absl::Status SetAside(const std::string& path, uint32_t files_max) {
  FORETELL_CHECK(files_max > 0);
  // An earlier call may have got this far, and its caller no further.
  if (!Exists(path)) return absl::OkStatus();
  if (files_max == 1) {
    if (unlink(path.c_str()) == 0) return absl::OkStatus();
    return FileError(path, "cannot delete", errno);
  }
  uint32_t gap = 1;
  while (gap + 1 < files_max && Exists(AgedPath(path, gap))) ++gap;
  for (; gap > 1; --gap) {
    absl::Status status = Rename(AgedPath(path, gap - 1), AgedPath(path, gap));
    if (!status.ok()) return status;
  }
  return Rename(path, AgedPath(path, 1));
}

}  // namespace foretell::snapshot
