#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/agent/telemetry/signals/record.h"
#include "foretell/agent/telemetry/signals/registry.h"
#include "foretell/snapshot/node/info.h"

namespace foretell::agent {

struct TelemetryOptions {
  std::string service_name = "foretell-agent";  // Unless OTEL_SERVICE_NAME says otherwise.
  std::string version;                          // Resource attribute service.version.
  // What is watched, as resource attributes and as labels of every Prometheus series. An empty
  // value is left out.
  Labels watched;
  // The environment. The SDK reads endpoints, headers, TLS files and timeouts with getenv itself.
  // REQUIRES: not empty.
  std::function<std::optional<std::string>(const std::string&)> environment;
  // One line about telemetry itself: a variable that is not understood, an endpoint that fails (at
  // most one line a minute, with the number of those left out). Called from any thread, one at a
  // time, not after Telemetry has gone. REQUIRES: not empty.
  std::function<void(const std::string&)> log;
  std::ostream* console = nullptr;  // For the exporter "console"; null: std::cerr.
  std::chrono::milliseconds shutdown_timeout{2000};
};

// getenv, with an empty value as none: what OpenTelemetry demands.
std::optional<std::string> ProcessEnvironment(const std::string& name);

// Traces, metrics and log events of the agent. Nothing here fails or waits: queues are bounded,
// what does not fit or cannot be delivered is dropped and counted. Thread-safe. One at a time in a
// process: the SDK has one place for complaints of its own.
class Telemetry {
 public:
  // Chooses exporters by the OTEL_* variables (docs/telemetry.md). What they get wrong is told to
  // `log` and left out; fails only if a thread cannot be started.
  static absl::StatusOr<std::unique_ptr<Telemetry>> Start(TelemetryOptions options);
  // Delivers what is queued, for at most `shutdown_timeout`; the rest is dropped. If an endpoint of
  // OTLP over HTTP hangs, a thread that waits for it is left behind until its own timeout.
  virtual ~Telemetry() = default;

  // Events belong to the trace of the round that was last started.
  virtual void RoundStarted(uint64_t number,
                            std::chrono::system_clock::time_point start) noexcept = 0;
  // The span tree and the metrics. Starts the round itself if RoundStarted was not called for it.
  virtual void Round(const RoundRecord& round) noexcept = 0;

  virtual void Violation(const ViolationEvent& event) noexcept = 0;
  virtual void ViolationResolved(const ResolvedEvent& event) noexcept = 0;
  virtual void VetoApplied(const VetoEvent& event) noexcept = 0;
  virtual void VetoExpired(const VetoEvent& event) noexcept = 0;
  virtual void SnapshotRejected(const RejectedSnapshotEvent& event) noexcept = 0;
  // The counters of a node, read at `now`. Differences to the last call become metrics; a node
  // that counts less than before has been restarted.
  virtual void Counters(uint32_t node, const snapshot::NodeCounters& counters,
                        std::chrono::steady_clock::time_point now) noexcept = 0;

  // The values of all metrics, whatever is exported.
  virtual Registry& registry() noexcept = 0;
  // Items that were not delivered, of all signals.
  virtual uint64_t dropped() const noexcept = 0;
  // The destinations of signals, one line: "traces otlp (http/protobuf), metrics none, logs
  // console".
  virtual std::string Describe() const = 0;
};

}  // namespace foretell::agent
