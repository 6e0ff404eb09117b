#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/agent/sidecar/config/config.h"

namespace foretell::agent {

// A key of the configuration. All values arrive as text, wherever they come from, so that the file,
// the environment and flags are judged by the same code.
struct ConfigKey {
  // How it is written in the file. A number can be a text as well: "2s".
  enum class Form { kText, kList, kNumber };
  std::string name;  // "rounds.period".
  std::string text;  // What it is, with the default.
  Form form;
  std::function<absl::Status(Config&, const std::string& value)> set;
};

const std::vector<ConfigKey>& AllConfigKeys();
// Null if there is none.
const ConfigKey* FindConfigKey(const std::string& name);
// What comes before the dots of the keys, and "nodes".
std::vector<std::string> ConfigSections();
// InvalidArgument: that `name` is none, with the nearest.
absl::Status UnknownKey(const std::string& name);

}  // namespace foretell::agent
