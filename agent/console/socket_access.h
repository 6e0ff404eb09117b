#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace foretell::agent {

// Who may connect to a unix socket besides its owner.
struct SocketAccess {
  std::optional<mode_t> mode;  // Nothing: it stays as it is, which is the owner alone.
  std::string group;           // Empty: that of the process.
};

// "0660": three or four octal digits that let the owner read and write, and nobody execute.
absl::StatusOr<mode_t> ParseSocketMode(const std::string& text);

// Errors name the path, the group and the way out. A socket that has not got its access has that of
// its owner, and no other.
absl::Status GiveAccess(const std::string& path, const SocketAccess& access);

}  // namespace foretell::agent
