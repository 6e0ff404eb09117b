#include "foretell/agent/telemetry/export/meters.h"

#include <opentelemetry/metrics/async_instruments.h>
#include <opentelemetry/metrics/meter.h>
#include <opentelemetry/metrics/observer_result.h>
#include <opentelemetry/metrics/sync_instruments.h>
#include <opentelemetry/sdk/metrics/aggregation/aggregation_config.h>
#include <opentelemetry/sdk/metrics/export/metric_producer.h>
#include <opentelemetry/sdk/metrics/export/periodic_exporting_metric_reader.h>
#include <opentelemetry/sdk/metrics/meter_provider.h>
#include <opentelemetry/sdk/metrics/push_metric_exporter.h>
#include <opentelemetry/sdk/metrics/view/instrument_selector.h>
#include <opentelemetry/sdk/metrics/view/meter_selector.h>
#include <opentelemetry/sdk/metrics/view/view.h>
#include <opentelemetry/sdk/metrics/view/view_registry.h>
#include <opentelemetry/sdk/resource/resource.h>

#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace foretell::agent {
namespace {

namespace nostd = opentelemetry::nostd;
namespace api = opentelemetry::metrics;
using opentelemetry::sdk::common::ExportResult;

constexpr char kScope[] = "foretell.agent";

// As the one of traces. An item is a data point.
class CountedExporter final : public otel::metrics::PushMetricExporter {
 public:
  CountedExporter(std::unique_ptr<otel::metrics::PushMetricExporter> exporter,
                  std::shared_ptr<Delivery> delivery)
      : exporter_(std::move(exporter)), delivery_(std::move(delivery)) {}

  ExportResult Export(const otel::metrics::ResourceMetrics& data) noexcept override {
    return delivery_->InTurn([&] {
      const ExportResult result =
          delivery_->closed() ? ExportResult::kFailure : exporter_->Export(data);
      if (result != ExportResult::kSuccess) delivery_->Drop(PointsOf(data));
      return result;
    });
  }
  otel::metrics::AggregationTemporality GetAggregationTemporality(
      otel::metrics::InstrumentType type) const noexcept override {
    return exporter_->GetAggregationTemporality(type);
  }
  bool ForceFlush(std::chrono::microseconds timeout) noexcept override {
    return exporter_->ForceFlush(timeout);
  }
  bool Shutdown(std::chrono::microseconds timeout) noexcept override {
    return exporter_->Shutdown(timeout);
  }

 private:
  static uint64_t PointsOf(const otel::metrics::ResourceMetrics& data) {
    uint64_t points = 0;
    for (const auto& scope : data.scope_metric_data_) {
      for (const auto& metric : scope.metric_data_) points += metric.point_data_attr_.size();
    }
    return points;
  }

  const std::unique_ptr<otel::metrics::PushMetricExporter> exporter_;
  const std::shared_ptr<Delivery> delivery_;
};

std::unique_ptr<otel::metrics::ViewRegistry> Views() {
  auto views = std::make_unique<otel::metrics::ViewRegistry>();
  for (const Metric& metric : kAllMetrics) {
    if (metric.kind != MetricKind::kHistogram) continue;
    auto config = std::make_shared<otel::metrics::HistogramAggregationConfig>();
    config->boundaries_.assign(metric.bounds.begin(), metric.bounds.end());
    views->AddView(std::make_unique<otel::metrics::InstrumentSelector>(
                       otel::metrics::InstrumentType::kHistogram, std::string(metric.name),
                       std::string(metric.unit)),
                   std::make_unique<otel::metrics::MeterSelector>(kScope, "", ""),
                   std::make_unique<otel::metrics::View>(
                       std::string(metric.name), std::string(metric.description), "",
                       otel::metrics::AggregationType::kHistogram, config));
  }
  return views;
}

nostd::string_view View(std::string_view text) { return {text.data(), text.size()}; }

// What a callback of the SDK needs to know.
struct Observed {
  const Registry* registry = nullptr;
  MetricId metric{};
};

void Observe(api::ObserverResult result, void* state) {
  const auto* observed = static_cast<const Observed*>(state);
  for (const Registry::Series& series : observed->registry->Values(observed->metric)) {
    const std::map<std::string, std::string> labels(series.labels.begin(), series.labels.end());
    if (MetricOf(observed->metric).kind == MetricKind::kCounter) {
      nostd::get<nostd::shared_ptr<api::ObserverResultT<int64_t>>>(result)->Observe(
          static_cast<int64_t>(series.value), labels);
    } else {
      nostd::get<nostd::shared_ptr<api::ObserverResultT<double>>>(result)->Observe(series.value,
                                                                                   labels);
    }
  }
}

class MetersImpl final : public Meters {
 public:
  MetersImpl(std::unique_ptr<otel::metrics::PushMetricExporter> exporter, const Options& options,
             std::shared_ptr<Delivery> delivery, std::shared_ptr<const Registry> registry,
             const otel::resource::Resource& resource)
      : registry_(std::move(registry)), provider_(Views(), resource) {
    const nostd::shared_ptr<api::Meter> meter = provider_.GetMeter(kScope);
    for (const Metric& metric : kAllMetrics) Create(metric, *meter);
    otel::metrics::PeriodicExportingMetricReaderOptions reader;
    reader.export_interval_millis = options.interval;
    reader.export_timeout_millis = options.timeout;
    provider_.AddMetricReader(std::make_shared<otel::metrics::PeriodicExportingMetricReader>(
        std::make_unique<CountedExporter>(std::move(exporter), std::move(delivery)), reader));
  }

  ~MetersImpl() override { provider_.ForceFlush(); }

  void Record(MetricId histogram, const Labels& labels, double value) override {
    const std::map<std::string, std::string> attributes(labels.begin(), labels.end());
    histograms_.at(histogram)->Record(value, attributes, {});
  }

 private:
  void Create(const Metric& metric, api::Meter& meter) {
    const nostd::string_view name = View(metric.name);
    const nostd::string_view text = View(metric.description);
    const nostd::string_view unit = View(metric.unit);
    if (metric.kind == MetricKind::kHistogram) {
      histograms_.emplace(metric.id, meter.CreateDoubleHistogram(name, text, unit));
      return;
    }
    observed_.push_back({registry_.get(), metric.id});
    observables_.push_back(metric.kind == MetricKind::kCounter
                               ? meter.CreateInt64ObservableCounter(name, text, unit)
                               : meter.CreateDoubleObservableGauge(name, text, unit));
    observables_.back()->AddCallback(&Observe, &observed_.back());
  }

  const std::shared_ptr<const Registry> registry_;
  std::deque<Observed> observed_;  // The SDK keeps pointers to them, so they must not move.
  otel::metrics::MeterProvider provider_;
  std::map<MetricId, nostd::unique_ptr<api::Histogram<double>>> histograms_;
  std::vector<nostd::shared_ptr<api::ObservableInstrument>> observables_;
};

}  // namespace

std::unique_ptr<Meters> Meters::Start(std::unique_ptr<otel::metrics::PushMetricExporter> exporter,
                                      const Options& options, std::shared_ptr<Delivery> delivery,
                                      std::shared_ptr<const Registry> registry,
                                      const otel::resource::Resource& resource) {
  return std::make_unique<MetersImpl>(std::move(exporter), options, std::move(delivery),
                                      std::move(registry), resource);
}

}  // namespace foretell::agent
