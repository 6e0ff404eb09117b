#include "foretell/agent/console/socket_access.h"

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

absl::StatusOr<gid_t> GroupId(const std::string& name) {
  struct group group = {};
  struct group* found = nullptr;
  std::vector<char> names(1 << 16);
  const int error = getgrnam_r(name.c_str(), &group, names.data(), names.size(), &found);
  if (found != nullptr) return group.gr_gid;
  return absl::NotFoundError(absl::StrCat("there is no group '", name, "' on this machine",
                                          error == 0 ? "" : absl::StrCat(": ", strerror(error)),
                                          "; `groupadd --system ", name, "` makes it"));
}

}  // namespace

absl::StatusOr<mode_t> ParseSocketMode(const std::string& text) {
  const bool octal =
      (text.size() == 3 || text.size() == 4) &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '7'; });
  const auto mode = octal ? static_cast<mode_t>(std::stoul(text, nullptr, 8)) : mode_t{0};
  if (octal && (mode & 0600) == 0600 && (mode & ~mode_t{0666}) == 0) return mode;
  return absl::InvalidArgumentError(absl::StrCat(
      "'", text, "' is no mode of a socket: 0600 lets the owner connect, 0660 the group as well"));
}

absl::Status GiveAccess(const std::string& path, const SocketAccess& access) {
  // First the group, then the mode: nobody else ever gets in between.
  if (!access.group.empty()) {
    const auto group = GroupId(access.group);
    if (!group.ok()) return group.status();
    if (chown(path.c_str(), static_cast<uid_t>(-1), *group) != 0) {
      return absl::PermissionDeniedError(
          absl::StrCat("cannot give ", path, " to group ", access.group, ": ", strerror(errno),
                       "; a process that is not root's can give it to a group of its own only"));
    }
  }
  if (access.mode && chmod(path.c_str(), *access.mode) != 0) {
    return absl::PermissionDeniedError(
        absl::StrCat("cannot change the mode of ", path, ": ", strerror(errno)));
  }
  return absl::OkStatus();
}

}  // namespace foretell::agent
