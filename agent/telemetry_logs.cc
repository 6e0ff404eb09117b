#include "agent/telemetry_logs.h"

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

namespace foretell::agent {
namespace {

namespace logs = opentelemetry::logs;
namespace nostd = opentelemetry::nostd;
namespace trace = opentelemetry::trace;
using opentelemetry::sdk::common::ExportResult;
using Recordables = nostd::span<std::unique_ptr<otel::logs::Recordable>>;

// As the one of traces.
class CountedExporter final : public otel::logs::LogRecordExporter {
 public:
  CountedExporter(std::unique_ptr<otel::logs::LogRecordExporter> exporter,
                  std::shared_ptr<Delivery> delivery)
      : exporter_(std::move(exporter)), delivery_(std::move(delivery)) {}

  std::unique_ptr<otel::logs::Recordable> MakeRecordable() noexcept override {
    return exporter_->MakeRecordable();
  }
  ExportResult Export(const Recordables& records) noexcept override {
    const uint64_t count = records.size();
    const std::unique_lock turn = delivery_->Turn();
    const ExportResult result =
        delivery_->closed() ? ExportResult::kFailure : exporter_->Export(records);
    if (result != ExportResult::kSuccess) delivery_->Drop(count);
    delivery_->Leave(count);
    return result;
  }
  bool ForceFlush(std::chrono::microseconds timeout) noexcept override {
    return exporter_->ForceFlush(timeout);
  }
  bool Shutdown(std::chrono::microseconds timeout) noexcept override {
    return exporter_->Shutdown(timeout);
  }

 private:
  const std::unique_ptr<otel::logs::LogRecordExporter> exporter_;
  const std::shared_ptr<Delivery> delivery_;
};

// As the one of traces; `Processor` is one of the SDK's.
template <class Processor>
class CountedProcessor final : public Processor {
 public:
  template <class... Options>
  CountedProcessor(std::unique_ptr<otel::logs::LogRecordExporter> exporter,
                   std::shared_ptr<Delivery> delivery, const Options&... options)
      : Processor(std::make_unique<CountedExporter>(std::move(exporter), delivery), options...),
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

void SetAttributes(const Attributes& attributes, logs::LogRecord& record) {
  for (const auto& [name, value] : attributes) {
    std::visit(
        [&record, &key = name](const auto& known) {
          if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::string>) {
            record.SetAttribute(key, nostd::string_view(known));
          } else {
            record.SetAttribute(key, known);
          }
        },
        value);
  }
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
    SetAttributes(event.attributes, *record);
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
