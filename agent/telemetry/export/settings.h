#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace foretell::agent {

enum class ExporterKind : uint8_t { kNone, kOtlp, kConsole };
enum class OtlpProtocol : uint8_t { kGrpc, kHttpProtobuf, kHttpJson };
enum class Signal : uint8_t { kTraces, kMetrics, kLogs };
enum class Temporality : uint8_t { kCumulative, kDelta, kLowMemory };

// "traces", "metrics", "logs".
const char* SignalName(Signal signal);

struct SignalSettings {
  ExporterKind exporter = ExporterKind::kNone;
  OtlpProtocol protocol = OtlpProtocol::kHttpProtobuf;
};

// Of a batch processor, for spans and log records alike.
struct BatchSettings {
  size_t queue_max = 2048;
  size_t batch_max = 512;
  std::chrono::milliseconds delay{5000};
};

// The values of the OTEL_* variables, as far as we read them ourselves.
struct TelemetrySettings {
  SignalSettings traces;
  SignalSettings metrics;
  SignalSettings logs;
  BatchSettings spans;
  BatchSettings records;
  std::chrono::milliseconds metric_interval{60000};
  std::chrono::milliseconds metric_timeout{30000};
  Temporality temporality = Temporality::kCumulative;
  std::vector<std::string> warnings;  // One sentence for each value that is not understood.
};

using Environment = std::function<std::optional<std::string>(const std::string&)>;

// Never fails: OpenTelemetry wants a bad value to be told and then ignored, as variables are often
// set for all services of a machine.
TelemetrySettings ReadTelemetrySettings(const Environment& environment);

// "traces otlp (grpc), metrics none, logs console".
std::string ToString(const TelemetrySettings& settings);

}  // namespace foretell::agent
