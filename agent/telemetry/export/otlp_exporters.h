#pragma once

#include <memory>

#include "foretell/agent/telemetry/export/delivery.h"
#include "foretell/agent/telemetry/export/otlp_sender.h"

// The SDK's classes are only named here, because its headers cost seconds in every file.
namespace opentelemetry::inline v1::sdk::trace {
class SpanExporter;
}
namespace opentelemetry::inline v1::sdk::logs {
class LogRecordExporter;
}
namespace opentelemetry::inline v1::sdk::metrics {
class PushMetricExporter;
}

namespace foretell::agent {

namespace otel = opentelemetry::sdk;

// Exporters of OTLP. What the endpoint refuses is counted as dropped in `delivery`; an export
// ends early when `delivery` is closed.
std::unique_ptr<otel::trace::SpanExporter> MakeOtlpSpanExporter(OtlpProtocol protocol,
                                                                std::shared_ptr<Delivery> delivery);
// Puts the attribute "event.name" into the record's field of that meaning as well, which the SDK
// (1.19) leaves empty.
std::unique_ptr<otel::logs::LogRecordExporter> MakeOtlpLogExporter(
    OtlpProtocol protocol, std::shared_ptr<Delivery> delivery);
std::unique_ptr<otel::metrics::PushMetricExporter> MakeOtlpMetricExporter(
    OtlpProtocol protocol, Temporality temporality, std::shared_ptr<Delivery> delivery);

}  // namespace foretell::agent
