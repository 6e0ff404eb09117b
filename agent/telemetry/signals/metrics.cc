#include "foretell/agent/telemetry/signals/metrics.h"

namespace foretell::agent {
namespace {

std::string Underscored(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (c == '.') c = '_';
  }
  return result;
}

// Annotations such as "{round}" are for people and leave no trace in the name.
std::string UnitSuffix(const Metric& metric) {
  if (metric.unit == "s") return "_seconds";
  if (metric.unit == "By") return "_bytes";
  if (metric.unit == "1" && metric.kind == MetricKind::kGauge) return "_ratio";
  if (metric.unit.ends_with("/s")) return "_per_second";
  return "";
}

}  // namespace

std::string PrometheusName(const Metric& metric) {
  std::string name = Underscored(metric.name);
  const std::string unit = UnitSuffix(metric);
  if (!name.ends_with(unit)) name += unit;
  if (metric.kind == MetricKind::kCounter) name += "_total";
  return name;
}

}  // namespace foretell::agent
