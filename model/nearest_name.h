#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace foretell::model {

// The one of `names` that `wrong` was most likely meant to be; empty if none is near.
std::string NearestName(const std::string& wrong, const std::vector<std::string>& names);

// InvalidArgument in one line: "unknown bug 'x': did you mean 'y'? Known: y, z".
absl::Status UnknownName(const std::string& kind, const std::string& wrong,
                         const std::vector<std::string>& names);

}  // namespace foretell::model
