#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "foretell/agent/sidecar/config/resolved_config.h"
#include "foretell/agent/sidecar/report/agent_log.h"

namespace foretell::agent {

// Runs the agent until `stop` says so.
struct AgentIo {
  AgentLog& log;
  std::function<bool()> stop;
  std::function<bool()> kill_signalled;
  std::function<std::chrono::steady_clock::time_point()> now;
  uint64_t rounds_max = UINT64_MAX;
  // Whether another RunSidecar follows at once, with what was configured meanwhile; empty: no.
  std::function<bool()> goes_on = {};
  // Why the kill switch was thrown over the socket; empty: it was not. Outlives a life of the
  // agent: a new configuration releases nothing. May be null.
  std::string* thrown = nullptr;
};
absl::Status RunSidecar(const ResolvedConfig& resolved, const AgentIo& io);

}  // namespace foretell::agent
