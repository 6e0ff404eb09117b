#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "foretell/agent/sidecar/config/config.h"
#include "foretell/model/family.h"
#include "foretell/snapshot/protocol/recorded.h"

namespace foretell::agent {

// A configuration with the service that it names.
struct ResolvedConfig {
  Config config;
  snapshot::Origin origin;
  model::System system;
  bool has_judge = false;  // Of violations from where a scenario starts; see SecondOpinion.
};

// Makes the service and compares the configuration with it. Plug-ins must be loaded already.
// InvalidArgument with one line per mistake: an invariant that does not exist, the wrong number of
// nodes, a service that cannot run live.
absl::StatusOr<ResolvedConfig> ResolveConfig(Config config, const model::Catalog& catalog);

// The work of an agent with this configuration, for people.
std::string Describe(const ResolvedConfig& resolved);

}  // namespace foretell::agent
