#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/agent/telemetry/signals/spans.h"

namespace foretell::agent {

struct SpanExport {
  // Not OTEL_SERVICE_NAME: that is the name of what really runs.
  std::string service_name;
  std::string version;
  std::chrono::system_clock::time_point start;
  // As TelemetryOptions has them. REQUIRES: not empty.
  std::function<std::optional<std::string>(const std::string&)> environment;
  std::ostream* console = nullptr;  // For the exporter "console"; null: std::cerr.
  std::chrono::milliseconds timeout{5000};
};

// Sends one trace where the OTEL_* variables say, and waits for it. FailedPrecondition if they name
// no place, Unavailable if spans did not arrive. Returns where it went: "traces otlp (grpc)". Not
// while a Telemetry lives.
absl::StatusOr<std::string> ExportSpans(const SpanTree& root, const SpanExport& options);

}  // namespace foretell::agent
