#pragma once

// What a report says about a liveness predicate, as JSON (docs/json.md).

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "foretell/model/liveness/liveness.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// Adds `property`, `verdict` and what they rest on to the object of a check. `numbers` are those of
// the recorded cuts.
void AddLiveness(const model::Liveness& liveness, const std::vector<uint64_t>& numbers,
                 nlohmann::ordered_json& json);

// The steps of the paths beside the violation's own, for people.
struct DeathEvents {
  std::vector<std::string> twin;
  std::vector<std::vector<std::string>> kinds;  // One path for each of Death::kinds.
};
DeathEvents EventsOf(const model::Service& service, const model::Death& death);

// Adds `critical_step`, `cycle_from`, `twin`, `cure`, `proof` and the rest to the object of a
// violation.
void AddDeath(const model::Death& death, const DeathEvents& events, nlohmann::ordered_json& json);

}  // namespace foretell::agent
