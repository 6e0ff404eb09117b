#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/health/status_page.h"

namespace foretell::agent {

// A named part of a health check.
struct HealthCheck {
  std::string name;  // Of letters, digits, '-' and '_'.
  // Ok, or why not. Called on a server thread for every request, so it must be thread-safe, quick
  // and free of side effects.
  std::function<absl::Status()> run;
};

struct HealthOptions {
  std::string host = "127.0.0.1";
  uint16_t port = 0;                     // 0: the kernel chooses.
  std::vector<HealthCheck> live;         // Failing: the process is to be restarted.
  std::vector<HealthCheck> ready;        // Failing: rounds do not work at the moment.
  std::function<std::string()> metrics;  // Registry::Text. REQUIRES: not empty, thread-safe.
};

// GET /livez, /readyz (200 or 503; ?verbose lists the checks, and what the last round rests on),
// /metrics and the page "/". Requests, threads, queue and waiting times are bounded.
class HealthServer {
 public:
  // Listens when it returns. Unavailable, naming address and reason, if it cannot.
  static absl::StatusOr<std::unique_ptr<HealthServer>> Start(HealthOptions options);
  // Stops; open connections are closed.
  virtual ~HealthServer() = default;

  virtual uint16_t port() const = 0;
  virtual void SetStatus(StatusPage page) = 0;  // Thread-safe.
};

}  // namespace foretell::agent
