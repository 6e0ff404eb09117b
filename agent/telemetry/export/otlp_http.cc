#include <opentelemetry/exporters/otlp/otlp_http_client.h>
#include <opentelemetry/exporters/otlp/otlp_http_exporter_options.h>
#include <opentelemetry/exporters/otlp/otlp_http_log_record_exporter_options.h>
#include <opentelemetry/exporters/otlp/otlp_http_metric_exporter_options.h>

#include <atomic>
#include <utility>

#include "foretell/agent/telemetry/export/otlp_sender.h"

namespace foretell::agent {
namespace {

namespace otlp = opentelemetry::exporter::otlp;

// The option structs of the three signals have the same fields but no common base.
template <class Options>
otlp::OtlpHttpClientOptions ClientOptions(const Options& options, bool json) {
  return otlp::OtlpHttpClientOptions(
      options.url, options.ssl_insecure_skip_verify, options.ssl_ca_cert_path,
      options.ssl_ca_cert_string, options.ssl_client_key_path, options.ssl_client_key_string,
      options.ssl_client_cert_path, options.ssl_client_cert_string, options.ssl_min_tls,
      options.ssl_max_tls, options.ssl_cipher, options.ssl_cipher_suite,
      json ? otlp::HttpRequestContentType::kJson : otlp::HttpRequestContentType::kBinary,
      otlp::JsonBytesMappingKind::kHexId, options.compression,
      // OTLP demands the JSON names ("traceId"); the SDK's default is the names of the proto files.
      /*input_use_json_name=*/true, options.console_debug, options.timeout, options.http_headers,
      options.retry_policy_max_attempts, options.retry_policy_initial_backoff,
      options.retry_policy_max_backoff, options.retry_policy_backoff_multiplier, nullptr);
}

// The SDK's exporters report success whatever the endpoint said (1.19); its client does not.
class HttpSender final : public OtlpSender {
 public:
  explicit HttpSender(otlp::OtlpHttpClientOptions options) : client_(std::move(options)) {}

  std::optional<uint64_t> Send(const google::protobuf::Message& request) noexcept override {
    if (cancelled_.load()) return std::nullopt;
    const auto result = client_.Export(request);
    if (result != opentelemetry::sdk::common::ExportResult::kSuccess) return std::nullopt;
    return 0;
  }
  void Cancel() noexcept override { cancelled_.store(true); }

 private:
  otlp::OtlpHttpClient client_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace

std::unique_ptr<OtlpSender> MakeHttpSender(Signal signal, bool json) {
  switch (signal) {
    case Signal::kTraces:
      return std::make_unique<HttpSender>(ClientOptions(otlp::OtlpHttpExporterOptions(), json));
    case Signal::kMetrics:
      return std::make_unique<HttpSender>(
          ClientOptions(otlp::OtlpHttpMetricExporterOptions(), json));
    case Signal::kLogs:
      return std::make_unique<HttpSender>(
          ClientOptions(otlp::OtlpHttpLogRecordExporterOptions(), json));
  }
  return nullptr;
}

}  // namespace foretell::agent
