#include "foretell/agent/telemetry/export/settings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>
#include <utility>

namespace foretell::agent {
namespace {

template <class Value>
using Names = std::span<const std::pair<const char*, Value>>;

constexpr std::array<std::pair<const char*, ExporterKind>, 3> kExporters = {{
    {"none", ExporterKind::kNone},
    {"otlp", ExporterKind::kOtlp},
    {"console", ExporterKind::kConsole},
}};
constexpr std::array<std::pair<const char*, OtlpProtocol>, 3> kProtocols = {{
    {"grpc", OtlpProtocol::kGrpc},
    {"http/protobuf", OtlpProtocol::kHttpProtobuf},
    {"http/json", OtlpProtocol::kHttpJson},
}};
constexpr std::array<std::pair<const char*, Temporality>, 3> kTemporalities = {{
    {"cumulative", Temporality::kCumulative},
    {"delta", Temporality::kDelta},
    {"lowmemory", Temporality::kLowMemory},
}};

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

const char* Variable(Signal signal) {
  switch (signal) {
    case Signal::kTraces: return "TRACES";
    case Signal::kMetrics: return "METRICS";
    case Signal::kLogs: return "LOGS";
  }
  return "";
}

class Reader {
 public:
  explicit Reader(const Environment& environment) : environment_(environment) {}

  TelemetrySettings Read() {
    if (Lower(environment_("OTEL_SDK_DISABLED").value_or("")) == "true") return settings_;
    settings_.traces = ReadSignal(Signal::kTraces);
    settings_.metrics = ReadSignal(Signal::kMetrics);
    settings_.logs = ReadSignal(Signal::kLogs);
    settings_.records.delay = std::chrono::milliseconds(1000);
    ReadBatch("OTEL_BSP_", settings_.spans);
    ReadBatch("OTEL_BLRP_", settings_.records);
    ReadTime("OTEL_METRIC_EXPORT_INTERVAL", settings_.metric_interval);
    ReadTime("OTEL_METRIC_EXPORT_TIMEOUT", settings_.metric_timeout);
    // The SDK insists on it.
    settings_.metric_timeout = std::min(settings_.metric_timeout, settings_.metric_interval / 2);
    ReadName<Temporality>("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", kTemporalities,
                          settings_.temporality);
    return std::move(settings_);
  }

 private:
  void Warn(const std::string& name, const std::string& value, const std::string& expected) {
    std::string warning = name + "=" + value + " is ignored: expected " + expected;
    // Three signals may have read the same variable.
    if (std::count(settings_.warnings.begin(), settings_.warnings.end(), warning) == 0) {
      settings_.warnings.push_back(std::move(warning));
    }
  }

  // False if the variable is not set.
  template <class Value>
  bool ReadName(const std::string& name, Names<Value> names, Value& value) {
    const std::optional<std::string> text = environment_(name);
    if (!text) return false;
    std::string expected;
    for (const auto& [known, meaning] : names) {
      if (Lower(*text) == known) {
        value = meaning;
        return true;
      }
      expected += expected.empty() ? known : std::string(", ") + known;
    }
    Warn(name, *text, "one of " + expected);
    return true;
  }

  SignalSettings ReadSignal(Signal signal) {
    SignalSettings result;
    const std::string name = Variable(signal);
    // The specification's default would be an endpoint on this machine, where nobody may listen.
    const bool endpoint = environment_("OTEL_EXPORTER_OTLP_ENDPOINT").has_value() ||
                          environment_("OTEL_EXPORTER_OTLP_" + name + "_ENDPOINT").has_value();
    if (!ReadName<ExporterKind>("OTEL_" + name + "_EXPORTER", kExporters, result.exporter) &&
        endpoint) {
      result.exporter = ExporterKind::kOtlp;
    }
    if (!ReadName<OtlpProtocol>("OTEL_EXPORTER_OTLP_" + name + "_PROTOCOL", kProtocols,
                                result.protocol)) {
      ReadName<OtlpProtocol>("OTEL_EXPORTER_OTLP_PROTOCOL", kProtocols, result.protocol);
    }
    return result;
  }

  std::optional<uint64_t> ReadNumber(const std::string& name) {
    const std::optional<std::string> text = environment_(name);
    if (!text) return std::nullopt;
    constexpr uint64_t kMost = 1'000'000'000;
    uint64_t value = 0;
    const char* end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, value);
    if (error == std::errc() && stop == end && value > 0 && value <= kMost) return value;
    Warn(name, *text, "a whole number from 1 to 1000000000");
    return std::nullopt;
  }

  void ReadTime(const std::string& name, std::chrono::milliseconds& value) {
    if (const auto number = ReadNumber(name)) value = std::chrono::milliseconds(*number);
  }

  void ReadBatch(const std::string& prefix, BatchSettings& batch) {
    // A queue is memory: a typing mistake in its length must not take all of it.
    constexpr size_t kQueueMost = 1 << 20;
    if (const auto number = ReadNumber(prefix + "MAX_QUEUE_SIZE")) {
      batch.queue_max = std::min<size_t>(*number, kQueueMost);
    }
    if (const auto number = ReadNumber(prefix + "MAX_EXPORT_BATCH_SIZE")) {
      batch.batch_max = *number;
    }
    batch.batch_max = std::min(batch.batch_max, batch.queue_max);
    ReadTime(prefix + "SCHEDULE_DELAY", batch.delay);
  }

  const Environment& environment_;
  TelemetrySettings settings_;
};

template <class Value, size_t count>
std::string NameOf(const std::array<std::pair<const char*, Value>, count>& names, Value value) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [value](const auto& entry) { return entry.second == value; });
  return found->first;
}

std::string Describe(Signal signal, const SignalSettings& settings) {
  std::string text = SignalName(signal);
  text += ' ' + NameOf(kExporters, settings.exporter);
  if (settings.exporter == ExporterKind::kOtlp) {
    text += " (" + NameOf(kProtocols, settings.protocol) + ')';
  }
  return text;
}

}  // namespace

const char* SignalName(Signal signal) {
  switch (signal) {
    case Signal::kTraces: return "traces";
    case Signal::kMetrics: return "metrics";
    case Signal::kLogs: return "logs";
  }
  return "";
}

TelemetrySettings ReadTelemetrySettings(const Environment& environment) {
  return Reader(environment).Read();
}

std::string ToString(const TelemetrySettings& settings) {
  return Describe(Signal::kTraces, settings.traces) + ", " +
         Describe(Signal::kMetrics, settings.metrics) + ", " +
         Describe(Signal::kLogs, settings.logs);
}

}  // namespace foretell::agent
