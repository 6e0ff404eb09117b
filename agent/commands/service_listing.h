#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/console/console.h"
#include "foretell/model/family.h"

namespace foretell::agent {

// A scenario and what its system is made of.
struct ScenarioInfo {
  model::Named named;
  uint32_t nodes = 0;
  model::Network network;
  std::vector<model::FaultBudget> faults;  // One per node.
  size_t in_flight = 0;
};

// All that a user can know about a service before checking it.
struct ServiceInfo {
  model::Named named;
  std::vector<ScenarioInfo> scenarios;  // The first is the default.
  std::vector<model::Named> bugs;
  std::vector<model::InvariantInfo> invariants;
};

absl::StatusOr<std::vector<ServiceInfo>> ListServices(const model::Catalog& catalog);

std::string ListingText(const std::vector<ServiceInfo>& services, const Look& look);
std::string ListingJson(const std::vector<ServiceInfo>& services);

}  // namespace foretell::agent
