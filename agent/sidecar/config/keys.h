#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/agent/sidecar/config/config.h"

namespace foretell::agent {

// A key of the configuration: all that the file, the environment, flags, the help, the example and
// the checks need to know of it. Its default is that of a fresh Config, and stands nowhere else.
struct ConfigKey {
  // Its form in the file, and what must be there for it. A number can be a text as well: "2s".
  // Of a kFile the content is read, a kNewFile is written to a folder that must exist.
  enum class Form { kText, kList, kNumber, kFile, kNewFile, kFolder };
  // A member of the configuration. All values arrive as text, wherever they come from, so that the
  // file, the environment and flags are judged by the same code. What `get` says, `set` takes.
  struct Value {
    Form form;
    std::function<absl::Status(Config&, const std::string& value)> set;
    std::function<std::string(const Config&)> get;
  };
  std::string name;  // "rounds.period".
  std::string text;  // Its meaning, a line.
  Value value;
  std::string unset = "none";  // In the help, if its default is empty.
};

const std::vector<ConfigKey>& AllConfigKeys();
// Null if there is none.
const ConfigKey* FindConfigKey(const std::string& name);
// The parts before the dots of the keys, and "nodes".
std::vector<std::string> ConfigSections();
// InvalidArgument: that `name` is none, with the nearest.
absl::Status UnknownKey(const std::string& name);

}  // namespace foretell::agent
