#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "agent/sidecar/config.h"

namespace foretell::agent {

// A key of the configuration. All values arrive as text, wherever they come from, so that the file,
// the environment and flags are judged by the same code.
struct ConfigKey {
  std::string name;  // "rounds.period".
  std::string text;  // What it is, with the default.
  std::function<absl::Status(Config&, const std::string& value)> set;
};

const std::vector<ConfigKey>& AllConfigKeys();

}  // namespace foretell::agent
