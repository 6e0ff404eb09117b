#include "foretell/agent/telemetry/export/logs.h"

#include <opentelemetry/logs/log_record.h>
#include <opentelemetry/logs/logger.h>
#include <opentelemetry/sdk/logs/batch_log_record_processor.h>
#include <opentelemetry/sdk/logs/exporter.h>
#include <opentelemetry/sdk/logs/logger_provider.h>
#include <opentelemetry/sdk/logs/recordable.h>
#include <opentelemetry/sdk/logs/simple_log_record_processor.h>
#include <opentelemetry/sdk/resource/resource.h>
#include <opentelemetry/trace/span_id.h>
#include <opentelemetry/trace/trace_flags.h>
#include <opentelemetry/trace/trace_id.h>

#include <algorithm>
#include <utility>

#include "foretell/agent/telemetry/export/counted.h"

namespace foretell::agent {
namespace {

namespace logs = opentelemetry::logs;
namespace nostd = opentelemetry::nostd;
namespace trace = opentelemetry::trace;
using opentelemetry::sdk::common::ExportResult;
using Recordables = nostd::span<std::unique_ptr<otel::logs::Recordable>>;

using Exporter = CountedExporter<otel::logs::LogRecordExporter, otel::logs::Recordable, Recordables,
                                 ExportResult>;

// As the one of traces; `Processor` is one of the SDK's.
template <class Processor>
class CountedProcessor final : public Processor {
 public:
  template <class... Options>
  CountedProcessor(std::unique_ptr<otel::logs::LogRecordExporter> exporter,
                   std::shared_ptr<Delivery> delivery, const Options&... options)
      : Processor(std::make_unique<Exporter>(std::move(exporter), delivery), options...),
        delivery_(std::move(delivery)) {}

  void OnEmit(std::unique_ptr<otel::logs::Recordable>&& record) noexcept override {
    if (delivery_->Enter()) Processor::OnEmit(std::move(record));
  }

 private:
  const std::shared_ptr<Delivery> delivery_;
};

std::unique_ptr<otel::logs::LogRecordProcessor> MakeProcessor(
    std::unique_ptr<otel::logs::LogRecordExporter> exporter,
    const std::optional<BatchSettings>& batch, std::shared_ptr<Delivery> delivery) {
  if (!batch) {
    return std::make_unique<CountedProcessor<otel::logs::SimpleLogRecordProcessor>>(
        std::move(exporter), std::move(delivery));
  }
  otel::logs::BatchLogRecordProcessorOptions options;
  options.max_queue_size = batch->queue_max;
  options.max_export_batch_size = batch->batch_max;
  options.schedule_delay_millis = batch->delay;
  return std::make_unique<CountedProcessor<otel::logs::BatchLogRecordProcessor>>(
      std::move(exporter), std::move(delivery), options);
}

logs::Severity SeverityOf(EventRecord::Severity severity) {
  switch (severity) {
    case EventRecord::Severity::kInfo: return logs::Severity::kInfo;
    case EventRecord::Severity::kWarn: return logs::Severity::kWarn;
    case EventRecord::Severity::kError: break;
  }
  return logs::Severity::kError;
}

class LogsImpl final : public Logs {
 public:
  LogsImpl(std::unique_ptr<otel::logs::LogRecordProcessor> processor,
           const otel::resource::Resource& resource)
      : provider_(std::move(processor), resource),
        logger_(provider_.GetLogger("foretell.agent", "foretell.agent")) {}

  void Emit(const EventRecord& event, const TraceIds& ids,
            std::chrono::system_clock::time_point time) override {
    nostd::unique_ptr<logs::LogRecord> record = logger_->CreateLogRecord();
    if (record == nullptr) return;
    record->SetTimestamp(opentelemetry::common::SystemTimestamp(time));
    record->SetObservedTimestamp(opentelemetry::common::SystemTimestamp(time));
    record->SetSeverity(SeverityOf(event.severity));
    record->SetBody(nostd::string_view(event.body));
    record->SetEventId(0, event.name);
    record->SetAttribute("event.name", nostd::string_view(event.name));
    SetAttributes<nostd::string_view>(event.attributes, *record);
    if (ids.trace != TraceIds().trace) {
      record->SetTraceId(trace::TraceId(ids.trace));
      record->SetSpanId(trace::SpanId(ids.span));
      record->SetTraceFlags(trace::TraceFlags(trace::TraceFlags::kIsSampled));
    }
    logger_->EmitLogRecord(std::move(record));
  }

 private:
  otel::logs::LoggerProvider provider_;
  nostd::shared_ptr<logs::Logger> logger_;
};

}  // namespace

std::unique_ptr<Logs> Logs::Start(std::unique_ptr<otel::logs::LogRecordExporter> exporter,
                                  const std::optional<BatchSettings>& batch,
                                  std::shared_ptr<Delivery> delivery,
                                  const otel::resource::Resource& resource) {
  return std::make_unique<LogsImpl>(MakeProcessor(std::move(exporter), batch, std::move(delivery)),
                                    resource);
}

}  // namespace foretell::agent
