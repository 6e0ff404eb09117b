#pragma once

// A scenario with everything that a user has set of it, as one text: "two-proposals,nodes=5,
// crashes[0]=1" without the space. Whatever carries the name of a scenario carries the settings
// too: snapshots, bundles, results, and the command that finds it again.

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/model/family.h"

namespace foretell::model {

struct ScenarioSpec {
  std::string name;
  // By parameter; by fault and node, "crashes[0]", or for all nodes, "crashes"; and "duplicates".
  std::map<std::string, int64_t> settings;
};

// InvalidArgument for a setting that is not NAME=NUMBER, or that comes twice.
absl::StatusOr<ScenarioSpec> ParseScenario(const std::string& text);
std::string ScenarioText(const ScenarioSpec& spec);

// The system of a scenario with its settings. InvalidArgument, with the names or the range that
// there are, for settings that mean nothing to `family`; else as ServiceFamily::Make.
absl::StatusOr<System> MakeSystem(const ServiceFamily& family, const std::string& scenario,
                                  const std::string& bug);

}  // namespace foretell::model
