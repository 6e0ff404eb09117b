#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/execution/execution.h"
#include "foretell/model/service.h"

namespace foretell::agent {

struct NamedExecution {
  std::string name;
  const Execution* execution = nullptr;
};

// All that is written from.
struct ExportInput {
  const model::Service& service;
  std::string title;                       // "paxos, scenario fresh, execution path".
  std::vector<NamedExecution> executions;  // The first is the one that was asked for.
  // Where its time begins. Steps have no duration in a model: each counts as a millisecond.
  std::chrono::system_clock::time_point start{};
};

struct ExportFormat {
  const char* name;
  const char* text;  // One line.
  std::string (*write)(const ExportInput& input);
};

std::span<const ExportFormat> ExportFormats();
std::vector<std::string> ExportNames();
// InvalidArgument, with the nearest name.
absl::StatusOr<const ExportFormat*> FindExport(const std::string& name);

// All executions, one behind the other, for https://bestchai.bitbucket.io/shiviz: the regular
// expressions to read it with are its first two lines.
std::string WriteShiviz(const ExportInput& input);
// Apalache's Informal Trace Format (its ADR 15): the first execution, one state per step.
std::string WriteItf(const ExportInput& input);
// The first execution for Graphviz: events, program order, messages.
std::string WriteDot(const ExportInput& input);
// The first execution as OTLP/JSON: one line, as an OpenTelemetry collector reads from files.
std::string WriteOtlp(const ExportInput& input);

}  // namespace foretell::agent
