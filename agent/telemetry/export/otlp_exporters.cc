#include "foretell/agent/telemetry/export/otlp_exporters.h"

#include <opentelemetry/exporters/otlp/otlp_log_recordable.h>
#include <opentelemetry/exporters/otlp/otlp_metric_utils.h>
#include <opentelemetry/exporters/otlp/otlp_recordable.h>
#include <opentelemetry/exporters/otlp/otlp_recordable_utils.h>
#include <opentelemetry/proto/collector/logs/v1/logs_service.pb.h>
#include <opentelemetry/proto/collector/metrics/v1/metrics_service.pb.h>
#include <opentelemetry/proto/collector/trace/v1/trace_service.pb.h>
#include <opentelemetry/sdk/logs/exporter.h>
#include <opentelemetry/sdk/metrics/push_metric_exporter.h>
#include <opentelemetry/sdk/trace/exporter.h>

#include <utility>

namespace foretell::agent {
namespace {

namespace otlp = opentelemetry::exporter::otlp;
namespace collector = opentelemetry::proto::collector;
using opentelemetry::sdk::common::ExportResult;
using Microseconds = std::chrono::microseconds;

// What the three exporters have in common. Nothing is ever kept back, so a flush has nothing to do.
class Exporter {
 public:
  Exporter(Signal signal, OtlpProtocol protocol, std::shared_ptr<Delivery> delivery)
      : sender_(protocol == OtlpProtocol::kGrpc
                    ? MakeGrpcSender(signal)
                    : MakeHttpSender(signal, protocol == OtlpProtocol::kHttpJson)),
        delivery_(std::move(delivery)) {
    delivery_->OnClose([this] { sender_->Cancel(); });
  }
  ~Exporter() { delivery_->OnClose(nullptr); }
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

 protected:
  ExportResult Send(const google::protobuf::Message& request) {
    const std::optional<uint64_t> rejected = sender_->Send(request);
    if (!rejected) return ExportResult::kFailure;
    if (*rejected > 0) delivery_->Drop(*rejected);
    return ExportResult::kSuccess;
  }

 private:
  const std::unique_ptr<OtlpSender> sender_;
  const std::shared_ptr<Delivery> delivery_;
};

class SpanExporter final : public otel::trace::SpanExporter, private Exporter {
 public:
  using Exporter::Exporter;
  std::unique_ptr<otel::trace::Recordable> MakeRecordable() noexcept override {
    return std::make_unique<otlp::OtlpRecordable>();
  }
  ExportResult Export(const opentelemetry::nostd::span<std::unique_ptr<otel::trace::Recordable>>&
                          spans) noexcept override {
    collector::trace::v1::ExportTraceServiceRequest request;
    otlp::OtlpRecordableUtils::PopulateRequest(spans, &request);
    return Send(request);
  }
  bool ForceFlush(Microseconds) noexcept override { return true; }
  bool Shutdown(Microseconds) noexcept override { return true; }
};

void FillEventName(opentelemetry::proto::logs::v1::LogRecord& record) {
  for (const auto& attribute : record.attributes()) {
    if (attribute.key() == "event.name") record.set_event_name(attribute.value().string_value());
  }
}

class LogExporter final : public otel::logs::LogRecordExporter, private Exporter {
 public:
  using Exporter::Exporter;
  std::unique_ptr<otel::logs::Recordable> MakeRecordable() noexcept override {
    return std::make_unique<otlp::OtlpLogRecordable>();
  }
  ExportResult Export(const opentelemetry::nostd::span<std::unique_ptr<otel::logs::Recordable>>&
                          records) noexcept override {
    for (const auto& record : records) {
      FillEventName(static_cast<otlp::OtlpLogRecordable&>(*record).log_record());
    }
    collector::logs::v1::ExportLogsServiceRequest request;
    otlp::OtlpRecordableUtils::PopulateRequest(records, &request);
    return Send(request);
  }
  bool ForceFlush(Microseconds) noexcept override { return true; }
  bool Shutdown(Microseconds) noexcept override { return true; }
};

otlp::PreferredAggregationTemporality Preferred(Temporality temporality) {
  switch (temporality) {
    case Temporality::kDelta: return otlp::PreferredAggregationTemporality::kDelta;
    case Temporality::kLowMemory: return otlp::PreferredAggregationTemporality::kLowMemory;
    case Temporality::kCumulative: break;
  }
  return otlp::PreferredAggregationTemporality::kCumulative;
}

class MetricExporter final : public otel::metrics::PushMetricExporter, private Exporter {
 public:
  MetricExporter(OtlpProtocol protocol, Temporality temporality, std::shared_ptr<Delivery> delivery)
      : Exporter(Signal::kMetrics, protocol, std::move(delivery)),
        select_(otlp::OtlpMetricUtils::ChooseTemporalitySelector(Preferred(temporality))) {}

  otel::metrics::AggregationTemporality GetAggregationTemporality(
      otel::metrics::InstrumentType type) const noexcept override {
    return select_(type);
  }
  ExportResult Export(const otel::metrics::ResourceMetrics& data) noexcept override {
    collector::metrics::v1::ExportMetricsServiceRequest request;
    otlp::OtlpMetricUtils::PopulateRequest(data, &request);
    return Send(request);
  }
  bool ForceFlush(Microseconds) noexcept override { return true; }
  bool Shutdown(Microseconds) noexcept override { return true; }

 private:
  otel::metrics::AggregationTemporalitySelector select_;
};

}  // namespace

std::unique_ptr<otel::trace::SpanExporter> MakeOtlpSpanExporter(
    OtlpProtocol protocol, std::shared_ptr<Delivery> delivery) {
  return std::make_unique<SpanExporter>(Signal::kTraces, protocol, std::move(delivery));
}

std::unique_ptr<otel::logs::LogRecordExporter> MakeOtlpLogExporter(
    OtlpProtocol protocol, std::shared_ptr<Delivery> delivery) {
  return std::make_unique<LogExporter>(Signal::kLogs, protocol, std::move(delivery));
}

std::unique_ptr<otel::metrics::PushMetricExporter> MakeOtlpMetricExporter(
    OtlpProtocol protocol, Temporality temporality, std::shared_ptr<Delivery> delivery) {
  return std::make_unique<MetricExporter>(protocol, temporality, std::move(delivery));
}

}  // namespace foretell::agent
