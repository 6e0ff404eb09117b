#include "foretell/agent/telemetry/span_export.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/telemetry/export/pipelines.h"
#include "foretell/model/check.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::agent {
namespace {

size_t CountOf(const SpanTree& span) {
  size_t count = 1;
  for (const SpanTree& child : span.children) count += CountOf(child);
  return count;
}

// Only traces, and all of them: nothing else goes on beside that could make up for a lost one.
TelemetrySettings SettingsOf(const SpanTree& root, const SpanExport& options) {
  TelemetrySettings settings = ReadTelemetrySettings(options.environment);
  settings.metrics.exporter = ExporterKind::kNone;
  settings.logs.exporter = ExporterKind::kNone;
  settings.spans.queue_max = std::max(settings.spans.queue_max, CountOf(root));
  return settings;
}

// "traces otlp (grpc)".
std::string PlaceOf(const TelemetrySettings& settings) {
  const std::string all = ToString(settings);
  return all.substr(0, all.find(','));
}

uint64_t Dropped(const Registry& registry) {
  double sum = 0;
  for (const auto& series : registry.Values(metrics::kTelemetryDropped)) sum += series.value;
  return static_cast<uint64_t>(sum);
}

}  // namespace

absl::StatusOr<std::string> ExportSpans(const SpanTree& root, const SpanExport& options) {
  FORETELL_CHECK(options.environment != nullptr);
  const TelemetrySettings settings = SettingsOf(root, options);
  if (settings.traces.exporter == ExporterKind::kNone) {
    return absl::FailedPreconditionError(
        "the environment names no place for traces: set OTEL_EXPORTER_OTLP_ENDPOINT, or name a "
        "file");
  }
  const auto registry = std::make_shared<Registry>();
  std::string complaint;  // Written by one thread at a time, read when all have ended.
  const auto lines =
      std::make_shared<RareLines>([&complaint](const std::string& line) { complaint = line; },
                                  [] { return std::chrono::steady_clock::now(); });
  try {
    Pipelines pipelines = StartPipelines({.settings = settings,
                                          .service_name = options.service_name,
                                          .version = options.version,
                                          .console = options.console ? *options.console : std::cerr,
                                          .turns = std::make_shared<model::Mutex>(),
                                          .registry = registry,
                                          .lines = lines,
                                          .own_name = true});
    pipelines.traces.signal->Begin(root.name, options.start);
    pipelines.traces.signal->End(root);
    const bool closed = ClosePipelines(std::move(pipelines), options.timeout);
    lines->Close();
    if (closed && Dropped(*registry) == 0) return PlaceOf(settings);
  } catch (const std::exception& error) {
    lines->Close();
    return absl::UnavailableError(error.what());
  }
  return absl::UnavailableError(absl::StrCat("spans did not arrive, ", PlaceOf(settings),
                                             complaint.empty() ? "" : ": ", complaint));
}

}  // namespace foretell::agent
