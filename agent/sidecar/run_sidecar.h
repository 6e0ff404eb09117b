#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

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
};
absl::Status RunSidecar(const ResolvedConfig& resolved, const AgentIo& io);

}  // namespace foretell::agent
