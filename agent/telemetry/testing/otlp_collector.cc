#include "foretell/agent/telemetry/testing/otlp_collector.h"

#include <google/protobuf/util/json_util.h>
#include <grpcpp/grpcpp.h>
#include <httplib.h>
#include <opentelemetry/proto/collector/logs/v1/logs_service.grpc.pb.h>
#include <opentelemetry/proto/collector/metrics/v1/metrics_service.grpc.pb.h>
#include <opentelemetry/proto/collector/trace/v1/trace_service.grpc.pb.h>

#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "absl/strings/escaping.h"

namespace foretell::agent {
namespace {

namespace proto = opentelemetry::proto;
using proto::collector::logs::v1::ExportLogsServiceRequest;
using proto::collector::logs::v1::ExportLogsServiceResponse;
using proto::collector::metrics::v1::ExportMetricsServiceRequest;
using proto::collector::metrics::v1::ExportMetricsServiceResponse;
using proto::collector::trace::v1::ExportTraceServiceRequest;
using proto::collector::trace::v1::ExportTraceServiceResponse;

std::string Text(const proto::common::v1::AnyValue& value) {
  switch (value.value_case()) {
    case proto::common::v1::AnyValue::kStringValue: return value.string_value();
    case proto::common::v1::AnyValue::kBoolValue: return value.bool_value() ? "true" : "false";
    case proto::common::v1::AnyValue::kIntValue: return std::to_string(value.int_value());
    case proto::common::v1::AnyValue::kDoubleValue:
      return nlohmann::json(value.double_value()).dump();
    default: return "?" + value.ShortDebugString();
  }
}

template <class Repeated>
TextMap Map(const Repeated& attributes) {
  TextMap map;
  for (const auto& attribute : attributes) map[attribute.key()] = Text(attribute.value());
  return map;
}

std::string Hex(const std::string& bytes) { return absl::BytesToHexString(bytes); }

void Decode(const ExportTraceServiceRequest& request, Received& received) {
  for (const auto& resource : request.resource_spans()) {
    for (const auto& scope : resource.scope_spans()) {
      for (const auto& span : scope.spans()) {
        const bool failed = span.status().code() == proto::trace::v1::Status::STATUS_CODE_ERROR;
        received.spans.push_back({.trace = Hex(span.trace_id()),
                                  .id = Hex(span.span_id()),
                                  .parent = Hex(span.parent_span_id()),
                                  .name = span.name(),
                                  .start = span.start_time_unix_nano(),
                                  .end = span.end_time_unix_nano(),
                                  .client = span.kind() == proto::trace::v1::Span::SPAN_KIND_CLIENT,
                                  .error = failed ? "!" + span.status().message() : "",
                                  .attributes = Map(span.attributes()),
                                  .resource = Map(resource.resource().attributes())});
      }
    }
  }
}

void Decode(const ExportLogsServiceRequest& request, Received& received) {
  for (const auto& resource : request.resource_logs()) {
    for (const auto& scope : resource.scope_logs()) {
      for (const auto& record : scope.log_records()) {
        received.logs.push_back({.trace = Hex(record.trace_id()),
                                 .span = Hex(record.span_id()),
                                 .event_name = record.event_name(),
                                 .severity = record.severity_text(),
                                 .body = Text(record.body()),
                                 .attributes = Map(record.attributes()),
                                 .resource = Map(resource.resource().attributes())});
      }
    }
  }
}

double Value(const proto::metrics::v1::NumberDataPoint& point) {
  return point.has_as_int() ? static_cast<double>(point.as_int()) : point.as_double();
}

void DecodeMetric(const proto::metrics::v1::Metric& metric, const TextMap& resource,
                  Received& received) {
  const auto add = [&](const char* kind, const auto& point) -> ReceivedPoint& {
    return received.points
        .insert({metric.name(), ReceivedPoint{.unit = metric.unit(),
                                              .kind = kind,
                                              .attributes = Map(point.attributes()),
                                              .resource = resource}})
        ->second;
  };
  for (const auto& point : metric.sum().data_points()) add("sum", point).value = Value(point);
  for (const auto& point : metric.gauge().data_points()) add("gauge", point).value = Value(point);
  for (const auto& point : metric.histogram().data_points()) {
    ReceivedPoint& decoded = add("histogram", point);
    decoded.value = point.sum();
    decoded.count = point.count();
    decoded.bounds.assign(point.explicit_bounds().begin(), point.explicit_bounds().end());
  }
}

void Decode(const ExportMetricsServiceRequest& request, Received& received) {
  received.points.clear();
  for (const auto& resource : request.resource_metrics()) {
    const TextMap attributes = Map(resource.resource().attributes());
    for (const auto& scope : resource.scope_metrics()) {
      for (const auto& metric : scope.metrics()) DecodeMetric(metric, attributes, received);
    }
  }
}

void SetRefused(int64_t items, ExportTraceServiceResponse& response) {
  response.mutable_partial_success()->set_rejected_spans(items);
}
void SetRefused(int64_t items, ExportLogsServiceResponse& response) {
  response.mutable_partial_success()->set_rejected_log_records(items);
}
void SetRefused(int64_t items, ExportMetricsServiceResponse& response) {
  response.mutable_partial_success()->set_rejected_data_points(items);
}

// What both transports do with a request.
class Inbox {
 public:
  template <class Request, class Response>
  void Take(const Request& request, Response& response) {
    std::unique_lock lock(mutex_);
    ++received_.requests;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !hanging_; });
    Decode(request, received_);
    if (refuse_ > 0) SetRefused(refuse_, response);
    changed_.notify_all();
  }
  void Complain(const std::string& text) {
    const std::lock_guard lock(mutex_);
    received_.errors.push_back(text);
    changed_.notify_all();
  }
  void NoteType(const std::string& type) {
    const std::lock_guard lock(mutex_);
    received_.content_types.push_back(type);
  }
  void SetHanging(bool hanging) {
    const std::lock_guard lock(mutex_);
    hanging_ = hanging;
    changed_.notify_all();
  }
  void SetRefuse(int64_t items) {
    const std::lock_guard lock(mutex_);
    refuse_ = items;
  }
  Received received() const {
    const std::lock_guard lock(mutex_);
    return received_;
  }
  bool WaitUntil(const std::function<bool(const Received&)>& done) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(1), [&] { return done(received_); });
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool hanging_ = false;
  int64_t refuse_ = 0;
  Received received_;
};

class Collector : public OtlpCollector {
 public:
  void Hang() override { inbox_.SetHanging(true); }
  void Release() override { inbox_.SetHanging(false); }
  void Refuse(int64_t items) override { inbox_.SetRefuse(items); }
  Received received() const override { return inbox_.received(); }
  bool WaitUntil(const std::function<bool(const Received&)>& done) const override {
    return inbox_.WaitUntil(done);
  }

 protected:
  Inbox inbox_;
};

template <class Service, class Request, class Response>
class GrpcService final : public Service::Service {
 public:
  explicit GrpcService(Inbox& inbox) : inbox_(inbox) {}
  grpc::Status Export(grpc::ServerContext* /*context*/, const Request* request,
                      Response* response) override {
    inbox_.Take(*request, *response);
    return grpc::Status::OK;
  }

 private:
  Inbox& inbox_;
};

class GrpcCollector final : public Collector {
 public:
  explicit GrpcCollector(uint16_t port) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:" + std::to_string(port), grpc::InsecureServerCredentials(),
                             &port_);
    builder.RegisterService(&traces_);
    builder.RegisterService(&metrics_);
    builder.RegisterService(&logs_);
    server_ = builder.BuildAndStart();
  }
  ~GrpcCollector() override {
    Release();
    server_->Shutdown(std::chrono::system_clock::now());
  }
  uint16_t port() const override { return static_cast<uint16_t>(port_); }

 private:
  GrpcService<proto::collector::trace::v1::TraceService, ExportTraceServiceRequest,
              ExportTraceServiceResponse>
      traces_{inbox_};
  GrpcService<proto::collector::metrics::v1::MetricsService, ExportMetricsServiceRequest,
              ExportMetricsServiceResponse>
      metrics_{inbox_};
  GrpcService<proto::collector::logs::v1::LogsService, ExportLogsServiceRequest,
              ExportLogsServiceResponse>
      logs_{inbox_};
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

// OTLP writes ids in hexadecimal where JSON of Protocol Buffers has base64.
void ConvertIds(nlohmann::json& value) {
  for (auto& [key, element] : value.items()) {
    if (key == "traceId" || key == "spanId" || key == "parentSpanId") {
      element = absl::Base64Escape(absl::HexStringToBytes(element.get<std::string>()));
    } else if (element.is_structured()) {
      ConvertIds(element);
    }
  }
}

class HttpCollector final : public Collector {
 public:
  explicit HttpCollector(uint16_t port) {
    server_.Post("/v1/traces", Handler<ExportTraceServiceRequest, ExportTraceServiceResponse>());
    server_.Post("/v1/metrics",
                 Handler<ExportMetricsServiceRequest, ExportMetricsServiceResponse>());
    server_.Post("/v1/logs", Handler<ExportLogsServiceRequest, ExportLogsServiceResponse>());
    if (port == 0) {
      port_ = server_.bind_to_any_port("127.0.0.1");
    } else if (server_.bind_to_port("127.0.0.1", port)) {
      port_ = port;
    }
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~HttpCollector() override {
    Release();
    server_.stop();
    thread_.join();
  }
  uint16_t port() const override { return static_cast<uint16_t>(port_); }

 private:
  template <class Request, class Response>
  httplib::Server::Handler Handler() {
    return [this](const httplib::Request& http, httplib::Response& answer) {
      const std::string type = http.get_header_value("Content-Type");
      inbox_.NoteType(type);
      Request request;
      if (!Parse(type, http.body, request)) return;
      Response response;
      inbox_.Take(request, response);
      answer.set_content(response.SerializeAsString(), "application/x-protobuf");
    };
  }

  bool Parse(const std::string& type, const std::string& body, google::protobuf::Message& request) {
    if (type == "application/x-protobuf") {
      if (request.ParseFromString(body)) return true;
      inbox_.Complain("not a " + request.GetTypeName());
      return false;
    }
    nlohmann::json json = nlohmann::json::parse(body, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) {
      inbox_.Complain("not JSON: " + body);
      return false;
    }
    ConvertIds(json);
    // Without options, a field that is not in the proto file is an error.
    const auto status = google::protobuf::util::JsonStringToMessage(json.dump(), &request);
    if (!status.ok()) inbox_.Complain(status.ToString() + ": " + body);
    return status.ok();
  }

  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<OtlpCollector> OtlpCollector::Grpc(uint16_t port) {
  return std::make_unique<GrpcCollector>(port);
}
std::unique_ptr<OtlpCollector> OtlpCollector::Http(uint16_t port) {
  return std::make_unique<HttpCollector>(port);
}

}  // namespace foretell::agent
