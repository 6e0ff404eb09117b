#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "foretell/agent/telemetry/signals/metrics.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::agent {

// Attributes of one series: OpenTelemetry names ("foretell.node.id") and values.
using Labels = std::vector<std::pair<std::string, std::string>>;

// The present values of the agent's metrics, and their Prometheus text. Thread-safe. The number of
// series of a metric is limited: what comes after is not kept, and counted as
// dropped.
class Registry {
 public:
  static constexpr size_t kSeriesMax = 1000;  // Per metric.

  // `everywhere`: labels that every series has in the text besides its own. Those without a value
  // are left out.
  explicit Registry(Labels everywhere = {});

  // A counter that is given a negative or unreal number keeps its value.
  void Add(MetricId counter, const Labels& labels, double amount);
  void Set(MetricId gauge, const Labels& labels, double value);
  void Record(MetricId histogram, const Labels& labels, double value);
  // Forgets every series of a gauge, for example of nodes that are no longer asked.
  void Clear(MetricId gauge);

  struct Series {
    Labels labels;
    double value = 0;
  };
  // The series of a counter or gauge, by rising labels.
  std::vector<Series> Values(MetricId metric) const;

  // Text format 0.0.4, with HELP and TYPE of every metric, those without a series included.
  std::string Text() const;

 private:
  struct Cell {
    double value = 0;               // Of a histogram: the sum.
    uint64_t count = 0;             // Of a histogram.
    std::vector<uint64_t> buckets;  // Not cumulative, without the last one (+Inf).
  };
  std::map<Labels, Cell>& CellsOf(MetricId metric) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return series_[static_cast<size_t>(metric)];
  }
  const std::map<Labels, Cell>& CellsOf(MetricId metric) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return series_[static_cast<size_t>(metric)];
  }
  Cell* Find(MetricId metric, const Labels& labels) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void HistogramText(const Metric& metric, const Labels& labels, const Cell& cell,
                            std::string& text);

  Labels everywhere_;
  mutable model::Mutex mutex_;
  // By metric.
  std::array<std::map<Labels, Cell>, kAllMetrics.size()> series_ ABSL_GUARDED_BY(mutex_);
};

// The content type of Registry::Text.
inline constexpr char kPrometheusType[] = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace foretell::agent
