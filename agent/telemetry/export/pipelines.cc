#include "foretell/agent/telemetry/export/pipelines.h"

#include <opentelemetry/exporters/ostream/log_record_exporter_factory.h>
#include <opentelemetry/exporters/ostream/metric_exporter_factory.h>
#include <opentelemetry/exporters/ostream/span_exporter_factory.h>
#include <opentelemetry/sdk/common/global_log_handler.h>
#include <opentelemetry/sdk/logs/exporter.h>
#include <opentelemetry/sdk/metrics/push_metric_exporter.h>
#include <opentelemetry/sdk/resource/resource.h>
#include <opentelemetry/sdk/resource/resource_detector.h>
#include <opentelemetry/sdk/trace/exporter.h>
#include <unistd.h>

#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "foretell/model/sync/mutex.h"

namespace foretell::agent {
namespace {

namespace internal_log = opentelemetry::sdk::common::internal_log;
namespace exporter = opentelemetry::exporter;

// The SDK's complaints, at most one a minute.
class LogHandler final : public internal_log::LogHandler {
 public:
  explicit LogHandler(std::shared_ptr<RareLines> lines) : lines_(std::move(lines)) {}
  void Handle(internal_log::LogLevel /*level*/, const char* /*file*/, int /*line*/,
              const char* message,
              const otel::common::AttributeMap& /*attributes*/) noexcept override {
    // That the end comes while metrics are being read is how ends are, and nobody's trouble.
    if (message == nullptr || std::strstr(message, "while Shutdown in progress") != nullptr) return;
    lines_->Write(std::string("telemetry: ") + message);
  }

 private:
  const std::shared_ptr<RareLines> lines_;
};

std::string HostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

// What the environment says wins. The SDK would let our attributes win, and read it only once.
otel::resource::Resource MakeResource(const PipelineOptions& options) {
  otel::resource::ResourceAttributes attributes;
  attributes["service.name"] = options.service_name;
  if (!options.version.empty()) attributes["service.version"] = options.version;
  for (const auto& [name, value] : options.watched) {
    if (!value.empty()) attributes[name] = value;
  }
  const std::string host = HostName();
  if (!host.empty()) attributes["host.name"] = host;
  const otel::resource::Resource detected = otel::resource::OTELResourceDetector().Detect();
  for (const auto& [key, value] : detected.GetAttributes()) {
    if (options.own_name && key == "service.name") continue;
    attributes[key] = opentelemetry::nostd::get<std::string>(value);
  }
  return otel::resource::Resource::Create(attributes);
}

// Only those that write to the console have to wait for each other.
std::shared_ptr<Delivery> MakeDelivery(Signal signal, ExporterKind kind, size_t queue_max,
                                       const PipelineOptions& options) {
  return std::make_shared<Delivery>(signal, queue_max, options.registry,
                                    kind == ExporterKind::kConsole ? options.turns : nullptr);
}

Pipeline<Traces> StartTraces(const PipelineOptions& options,
                             const otel::resource::Resource& resource) {
  const TelemetrySettings& settings = options.settings;
  if (settings.traces.exporter == ExporterKind::kNone) return {};
  auto delivery =
      MakeDelivery(Signal::kTraces, settings.traces.exporter, settings.spans.queue_max, options);
  auto spans = settings.traces.exporter == ExporterKind::kOtlp
                   ? MakeOtlpSpanExporter(settings.traces.protocol, delivery)
                   : exporter::trace::OStreamSpanExporterFactory::Create(options.console);
  return {Traces::Start(std::move(spans), settings.spans, delivery, resource), delivery};
}

Pipeline<Logs> StartLogs(const PipelineOptions& options, const otel::resource::Resource& resource) {
  const TelemetrySettings& settings = options.settings;
  if (settings.logs.exporter == ExporterKind::kNone) return {};
  auto delivery =
      MakeDelivery(Signal::kLogs, settings.logs.exporter, settings.records.queue_max, options);
  if (settings.logs.exporter == ExporterKind::kOtlp) {
    return {Logs::Start(MakeOtlpLogExporter(settings.logs.protocol, delivery), settings.records,
                        delivery, resource),
            delivery};
  }
  // The records of the console exporter only point to their texts (1.19), so they cannot wait.
  return {Logs::Start(exporter::logs::OStreamLogRecordExporterFactory::Create(options.console),
                      std::nullopt, delivery, resource),
          delivery};
}

Pipeline<Meters> StartMeters(const PipelineOptions& options,
                             const otel::resource::Resource& resource) {
  const TelemetrySettings& settings = options.settings;
  if (settings.metrics.exporter == ExporterKind::kNone) return {};
  auto delivery =
      MakeDelivery(Signal::kMetrics, settings.metrics.exporter, /*queue_max=*/0, options);
  auto points =
      settings.metrics.exporter == ExporterKind::kOtlp
          ? MakeOtlpMetricExporter(settings.metrics.protocol, settings.temporality, delivery)
          : exporter::metrics::OStreamMetricExporterFactory::Create(options.console);
  return {Meters::Start(std::move(points),
                        {.interval = settings.metric_interval, .timeout = settings.metric_timeout},
                        delivery, options.registry, resource),
          delivery};
}

// Counts the threads that still close something.
class Closing {
 public:
  void Done() {
    const model::MutexLock lock(mutex_);
    ++done_;
    changed_.NotifyAll();
  }
  bool Wait(size_t count, std::chrono::milliseconds timeout) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    const model::MutexLock lock(mutex_);
    while (done_ < count) {
      if (!changed_.WaitUntil(mutex_, end)) return done_ >= count;
    }
    return true;
  }

 private:
  model::Mutex mutex_;
  model::ConditionVariable changed_;
  size_t done_ ABSL_GUARDED_BY(mutex_) = 0;
};

struct Closers {
  std::shared_ptr<Closing> closing = std::make_shared<Closing>();
  std::vector<std::thread> threads;
  std::vector<std::shared_ptr<Delivery>> deliveries;

  template <class Kind>
  void Add(Pipeline<Kind> pipeline) {
    if (pipeline.signal == nullptr) return;
    deliveries.push_back(pipeline.delivery);
    threads.emplace_back([pipeline = std::move(pipeline), done = closing]() mutable {
      pipeline = {};
      done->Done();
    });
  }
};

}  // namespace

Pipelines StartPipelines(const PipelineOptions& options) {
  internal_log::GlobalLogHandler::SetLogHandler(
      opentelemetry::nostd::shared_ptr<internal_log::LogHandler>(new LogHandler(options.lines)));
  const otel::resource::Resource resource = MakeResource(options);
  Pipelines pipelines;
  pipelines.traces = StartTraces(options, resource);
  pipelines.meters = StartMeters(options, resource);
  pipelines.logs = StartLogs(options, resource);
  return pipelines;
}

bool ClosePipelines(Pipelines pipelines, std::chrono::milliseconds timeout) {
  Closers closers;
  closers.Add(std::move(pipelines.traces));
  closers.Add(std::move(pipelines.meters));
  closers.Add(std::move(pipelines.logs));
  // Most of the time is for delivering, the rest for the end of what could not be delivered.
  bool closed = closers.closing->Wait(closers.threads.size(), timeout * 3 / 4);
  if (!closed) {
    for (const auto& delivery : closers.deliveries) delivery->Close();
    closed = closers.closing->Wait(closers.threads.size(), timeout / 4);
  }
  if (!closed) {
    for (const auto& delivery : closers.deliveries) delivery->Drop(delivery->queued());
  }
  for (std::thread& thread : closers.threads) {
    if (closed) {
      thread.join();
    } else {
      thread.detach();
    }
  }
  return closed;
}

}  // namespace foretell::agent
