#include "foretell/agent/debug/exports/exports.h"

#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

constexpr ExportFormat kFormats[] = {
    {"shiviz", "a log with vector clocks, of all executions, for ShiViz", WriteShiviz},
    {"itf", "states and events as JSON, for tools of Apalache and Quint", WriteItf},
    {"dot", "the graph of events, for Graphviz", WriteDot},
    {"otlp", "spans as OTLP/JSON, marked hypothetical; without FILE they are sent", WriteOtlp},
};

}  // namespace

std::span<const ExportFormat> ExportFormats() { return kFormats; }

std::vector<std::string> ExportNames() {
  std::vector<std::string> names;
  for (const ExportFormat& format : kFormats) names.push_back(format.name);
  return names;
}

absl::StatusOr<const ExportFormat*> FindExport(const std::string& name) {
  for (const ExportFormat& format : kFormats) {
    if (name == format.name) return &format;
  }
  return model::UnknownName("format", name, ExportNames());
}

}  // namespace foretell::agent
