#pragma once

#include <nlohmann/json_fwd.hpp>

#include "foretell/predictors/coverage/coverage.h"

namespace foretell::agent {

// The object `coverage` of a check's JSON.
nlohmann::ordered_json CoverageToJson(const predictors::Coverage& coverage);

}  // namespace foretell::agent
