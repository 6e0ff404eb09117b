#pragma once

// What a report says about a liveness predicate, as JSON (docs/json.md).

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "foretell/model/liveness/liveness.h"

namespace foretell::agent {

// Adds `property`, `verdict` and what they rest on to the object of a check. `numbers` are those of
// the recorded cuts.
void AddLiveness(const model::Liveness& liveness, const std::vector<uint64_t>& numbers,
                 nlohmann::ordered_json& json);

// Adds `critical_step`, `cycle_from`, `twin`, `cure`, `proof` and the rest to the object of a
// violation. `events` are the steps of the twin, for people.
void AddDeath(const model::Death& death, const std::vector<std::string>& events,
              nlohmann::ordered_json& json);

}  // namespace foretell::agent
