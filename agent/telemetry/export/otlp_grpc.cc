#include <opentelemetry/exporters/otlp/otlp_grpc_client.h>
#include <opentelemetry/exporters/otlp/otlp_grpc_exporter_options.h>
#include <opentelemetry/exporters/otlp/otlp_grpc_log_record_exporter_options.h>
#include <opentelemetry/exporters/otlp/otlp_grpc_metric_exporter_options.h>
#include <opentelemetry/sdk/common/global_log_handler.h>

#include <utility>

#include "foretell/agent/telemetry/export/otlp_sender.h"
#include "foretell/model/check.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::agent {
namespace {

namespace otlp = opentelemetry::exporter::otlp;
namespace collector = opentelemetry::proto::collector;

uint64_t Count(int64_t rejected) { return rejected > 0 ? static_cast<uint64_t>(rejected) : 0; }
uint64_t Rejected(const collector::trace::v1::ExportTraceServiceResponse& response) {
  return Count(response.partial_success().rejected_spans());
}
uint64_t Rejected(const collector::metrics::v1::ExportMetricsServiceResponse& response) {
  return Count(response.partial_success().rejected_data_points());
}
uint64_t Rejected(const collector::logs::v1::ExportLogsServiceResponse& response) {
  return Count(response.partial_success().rejected_log_records());
}

// Like the SDK's own exporter, but a call under way can be cancelled, so that an endpoint that
// hangs does not hold up the end of the process.
template <class Service, class Request, class Response>
class GrpcSender final : public OtlpSender {
 public:
  explicit GrpcSender(otlp::OtlpGrpcClientOptions options) : options_(std::move(options)) {
    if (const auto channel = otlp::OtlpGrpcClient::MakeChannel(options_)) {
      stub_ = Service::NewStub(channel);
    }
  }

  std::optional<uint64_t> Send(const google::protobuf::Message& request) noexcept override {
    const auto* typed = dynamic_cast<const Request*>(&request);
    FORETELL_CHECK(typed != nullptr);
    const std::unique_ptr<grpc::ClientContext> context =
        otlp::OtlpGrpcClient::MakeClientContext(options_);
    if (stub_ == nullptr || !Begin(context.get())) return std::nullopt;
    Response response;
    const grpc::Status status = stub_->Export(context.get(), *typed, &response);
    End();
    if (status.ok()) return Rejected(response);
    OTEL_INTERNAL_LOG_ERROR("OTLP endpoint " << options_.endpoint << ": "
                                             << status.error_message());
    return std::nullopt;
  }

  void Cancel() noexcept override {
    const model::MutexLock lock(mutex_);
    cancelled_ = true;
    if (running_ != nullptr) running_->TryCancel();
  }

 private:
  bool Begin(grpc::ClientContext* context) ABSL_LOCKS_EXCLUDED(mutex_) {
    const model::MutexLock lock(mutex_);
    if (cancelled_) return false;
    running_ = context;
    return true;
  }
  void End() ABSL_LOCKS_EXCLUDED(mutex_) {
    const model::MutexLock lock(mutex_);
    running_ = nullptr;
  }

  const otlp::OtlpGrpcClientOptions options_;
  std::unique_ptr<typename Service::StubInterface> stub_;  // Null: the endpoint is not an address.
  model::Mutex mutex_;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* running_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

using TraceSender =
    GrpcSender<collector::trace::v1::TraceService, collector::trace::v1::ExportTraceServiceRequest,
               collector::trace::v1::ExportTraceServiceResponse>;
using MetricSender = GrpcSender<collector::metrics::v1::MetricsService,
                                collector::metrics::v1::ExportMetricsServiceRequest,
                                collector::metrics::v1::ExportMetricsServiceResponse>;
using LogSender =
    GrpcSender<collector::logs::v1::LogsService, collector::logs::v1::ExportLogsServiceRequest,
               collector::logs::v1::ExportLogsServiceResponse>;

}  // namespace

std::unique_ptr<OtlpSender> MakeGrpcSender(Signal signal) {
  switch (signal) {
    case Signal::kTraces: return std::make_unique<TraceSender>(otlp::OtlpGrpcExporterOptions());
    case Signal::kMetrics:
      return std::make_unique<MetricSender>(otlp::OtlpGrpcMetricExporterOptions());
    case Signal::kLogs:
      return std::make_unique<LogSender>(otlp::OtlpGrpcLogRecordExporterOptions());
  }
  return nullptr;
}

}  // namespace foretell::agent
