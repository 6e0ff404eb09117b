#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "agent/selection.h"
#include "agent/sidecar/config.h"
#include "agent/sidecar/journal.h"
#include "model/family.h"
#include "snapshot/recorded.h"

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

// What an agent with this configuration will do, for people.
std::string Describe(const ResolvedConfig& resolved);

// Runs the agent until `stop` says so.
struct AgentIo {
  AgentLog& log;
  std::function<bool()> stop;
  std::function<bool()> kill_signalled;
  std::function<std::chrono::steady_clock::time_point()> now;
  uint64_t rounds_max = UINT64_MAX;
};
absl::Status RunSidecar(const ResolvedConfig& resolved, const AgentIo& io);

}  // namespace foretell::agent
