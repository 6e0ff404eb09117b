#include "foretell/agent/telemetry/signals/registry.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::agent {
namespace {

std::string NumberText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char buffer[32];
  // The shortest text that reads back as the same number.
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end.ptr};
}

std::string Escaped(std::string_view text, bool quotes) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\\\";
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '"' && quotes) {
      result += "\\\"";
    } else {
      result += c;
    }
  }
  return result;
}

std::string LabelName(std::string_view attribute) {
  std::string name(attribute);
  for (char& c : name) {
    const bool allowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!allowed) c = '_';
  }
  return name;
}

std::string LabelText(const Labels& labels, const std::string& bucket = "") {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!text.empty()) text += ',';
    text += LabelName(name) + "=\"" + Escaped(value, true) + '"';
  }
  if (!bucket.empty()) {
    if (!text.empty()) text += ',';
    text += "le=\"" + bucket + '"';
  }
  return text.empty() ? text : '{' + text + '}';
}

const char* TypeName(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter: return "counter";
    case MetricKind::kGauge: return "gauge";
    case MetricKind::kHistogram: return "histogram";
  }
  return "untyped";
}

void Line(const std::string& name, const std::string& labels, double value, std::string& text) {
  text += name + labels + ' ' + NumberText(value) + '\n';
}

}  // namespace

Registry::Registry(Labels everywhere) : everywhere_(std::move(everywhere)) {
  std::erase_if(everywhere_, [](const auto& label) { return label.second.empty(); });
}

Registry::Cell* Registry::Find(MetricId metric, const Labels& labels) {
  Labels sorted = labels;
  std::sort(sorted.begin(), sorted.end());
  auto& cells = CellsOf(metric);
  const auto found = cells.find(sorted);
  if (found != cells.end()) return &found->second;
  if (cells.size() >= kSeriesMax) {
    ++CellsOf(metrics::kTelemetryDropped)[{{"foretell.signal", "series"}}].value;
    return nullptr;
  }
  Cell& cell = cells[std::move(sorted)];
  cell.buckets.resize(MetricOf(metric).bounds.size());
  return &cell;
}

void Registry::Add(MetricId counter, const Labels& labels, double amount) {
  FORETELL_CHECK(MetricOf(counter).kind == MetricKind::kCounter);
  if (!(amount >= 0) || std::isinf(amount)) return;
  const model::MutexLock lock(mutex_);
  if (Cell* cell = Find(counter, labels)) cell->value += amount;
}

void Registry::Set(MetricId gauge, const Labels& labels, double value) {
  FORETELL_CHECK(MetricOf(gauge).kind == MetricKind::kGauge);
  const model::MutexLock lock(mutex_);
  if (Cell* cell = Find(gauge, labels)) cell->value = value;
}

void Registry::Record(MetricId histogram, const Labels& labels, double value) {
  FORETELL_CHECK(MetricOf(histogram).kind == MetricKind::kHistogram);
  if (std::isnan(value)) return;
  const model::MutexLock lock(mutex_);
  Cell* cell = Find(histogram, labels);
  if (cell == nullptr) return;
  cell->value += value;
  ++cell->count;
  const std::span<const double> bounds = MetricOf(histogram).bounds;
  const auto bound = std::lower_bound(bounds.begin(), bounds.end(), value);
  if (bound != bounds.end()) ++cell->buckets[static_cast<size_t>(bound - bounds.begin())];
}

void Registry::Clear(MetricId gauge) {
  FORETELL_CHECK(MetricOf(gauge).kind == MetricKind::kGauge);
  const model::MutexLock lock(mutex_);
  CellsOf(gauge).clear();
}

std::vector<Registry::Series> Registry::Values(MetricId metric) const {
  FORETELL_CHECK(MetricOf(metric).kind != MetricKind::kHistogram);
  const model::MutexLock lock(mutex_);
  std::vector<Series> values;
  for (const auto& [labels, cell] : CellsOf(metric)) values.push_back({labels, cell.value});
  return values;
}

void Registry::HistogramText(const Metric& metric, const Labels& labels, const Cell& cell,
                             std::string& text) {
  const std::string name = PrometheusName(metric);
  uint64_t below = 0;
  for (size_t i = 0; i < metric.bounds.size(); ++i) {
    below += cell.buckets[i];
    Line(name + "_bucket", LabelText(labels, NumberText(metric.bounds[i])),
         static_cast<double>(below), text);
  }
  Line(name + "_bucket", LabelText(labels, "+Inf"), static_cast<double>(cell.count), text);
  Line(name + "_sum", LabelText(labels), cell.value, text);
  Line(name + "_count", LabelText(labels), static_cast<double>(cell.count), text);
}

std::string Registry::Text() const {
  const model::MutexLock lock(mutex_);
  std::string text;
  for (const Metric& metric : kAllMetrics) {
    const std::string name = PrometheusName(metric);
    text += "# HELP " + name + ' ' + Escaped(metric.description, false) + '\n';
    text += "# TYPE " + name + ' ' + TypeName(metric.kind) + '\n';
    for (const auto& [own, cell] : CellsOf(metric.id)) {
      Labels labels = own;
      labels.insert(labels.end(), everywhere_.begin(), everywhere_.end());
      if (metric.kind == MetricKind::kHistogram) {
        HistogramText(metric, labels, cell, text);
      } else {
        Line(name, LabelText(labels), cell.value, text);
      }
    }
  }
  return text;
}

}  // namespace foretell::agent
