#pragma once

#include <string>

#include "absl/status/status.h"

namespace foretell::model {

// Answers requests on standard input with the library at `path`, as a process of exec: does, until
// the input ends: how a library is asked in another process than this one. Fails as LoadPlugin
// does.
absl::Status HostLibrary(const std::string& path);

}  // namespace foretell::model
