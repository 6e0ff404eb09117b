#pragma once

#include <chrono>
#include <memory>

#include "foretell/agent/telemetry/export/delivery.h"
#include "foretell/agent/telemetry/export/otlp_exporters.h"
#include "foretell/agent/telemetry/signals/registry.h"

namespace opentelemetry::inline v1::sdk::resource {
class Resource;
}

namespace foretell::agent {

// The registry's metrics as OpenTelemetry instruments: counters and gauges are observed there when
// it is time to export, histograms are recorded here as well. Thread-safe.
class Meters {
 public:
  struct Options {
    std::chrono::milliseconds interval{60000};
    std::chrono::milliseconds timeout{30000};  // REQUIRES: less than the interval.
  };
  static std::unique_ptr<Meters> Start(std::unique_ptr<otel::metrics::PushMetricExporter> exporter,
                                       const Options& options, std::shared_ptr<Delivery> delivery,
                                       std::shared_ptr<const Registry> registry,
                                       const otel::resource::Resource& resource);
  // Exports the last values. Blocks for as long as the exporter does.
  virtual ~Meters() = default;

  virtual void Record(MetricId histogram, const Labels& labels, double value) = 0;
};

}  // namespace foretell::agent
