#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>

#include "foretell/agent/telemetry/export/delivery.h"
#include "foretell/agent/telemetry/export/otlp_exporters.h"
#include "foretell/agent/telemetry/signals/spans.h"

namespace opentelemetry::inline v1::sdk::resource {
class Resource;
}

namespace foretell::agent {

// The ids of the span that a log record belongs to. All zero: to none.
struct TraceIds {
  std::array<uint8_t, 16> trace{};
  std::array<uint8_t, 8> span{};
};

// One trace per round, through the SDK's batch processor. One thread at a time.
class Traces {
 public:
  static std::unique_ptr<Traces> Start(std::unique_ptr<otel::trace::SpanExporter> exporter,
                                       const BatchSettings& batch,
                                       std::shared_ptr<Delivery> delivery,
                                       const otel::resource::Resource& resource);
  // Exports what is queued. Blocks for as long as the exporter does.
  virtual ~Traces() = default;

  // Starts the root span of a round. One that is still open ends here, as an error.
  virtual TraceIds Begin(const std::string& name, std::chrono::system_clock::time_point start) = 0;
  // Ends the root span that was begun, with all that is below it. REQUIRES: Begin.
  virtual void End(const SpanTree& root) = 0;
};

}  // namespace foretell::agent
