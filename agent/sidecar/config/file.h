#pragma once

#include <string>

#include "absl/status/status.h"
#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/config/mistakes.h"

namespace foretell::agent {

// The value of one key, as text. InvalidArgument says what would be right.
absl::Status SetConfigKey(Config& config, const std::string& name, const std::string& value);

// Reads `text`, the content of the file `config.file`. Fails only if it is no TOML.
absl::Status ReadConfigFile(const std::string& text, Config& config, Mistakes& mistakes);

// Finds mistakes that can be judged only once all keys are known.
void CheckTogether(const Config& config, Mistakes& mistakes);

}  // namespace foretell::agent
