#include "foretell/predictors/check/check.h"

#include <exception>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/model/budget.h"
#include "foretell/model/describe.h"
#include "foretell/model/nearest_name.h"
#include "foretell/model/scenario.h"
#include "foretell/predictors/coverage/explore_covered.h"
#include "foretell/predictors/engines.h"

namespace foretell {
namespace {

using model::Outcome;
using predictors::Engine;

absl::Status CheckNamed(const char* kind, const std::string& name,
                        const std::vector<model::Named>& rows) {
  std::vector<std::string> names;
  for (const model::Named& row : rows) {
    if (row.name == name) return absl::OkStatus();
    names.push_back(row.name);
  }
  return model::UnknownName(kind, name, names);
}

absl::StatusOr<model::System> MakeSystem(const model::ServiceFamily& family,
                                         const CheckOptions& options) {
  auto spec = model::ParseScenario(options.scenario);
  if (!spec.ok()) return spec.status();
  if (spec->name.empty()) spec->name = family.scenarios().front().name;
  absl::Status known = CheckNamed("scenario", spec->name, family.scenarios());
  if (known.ok() && !options.bug.empty()) known = CheckNamed("bug", options.bug, family.bugs());
  if (!known.ok()) return known;
  return model::MakeSystem(family, model::ScenarioText(*spec), options.bug);
}

absl::StatusOr<Engine> FindEngine(const std::string& name) {
  std::vector<std::string> names;
  for (const Engine& engine : predictors::AllEngines()) {
    if (name.empty() || engine.name == name) return engine;
    names.push_back(engine.name);
  }
  return model::UnknownName("engine", name, names);
}

std::string Verdict(const model::Report& report) {
  switch (report.outcome) {
    case Outcome::kViolation: return absl::StrCat(report.violations.size(), " violated");
    case Outcome::kNondeterminism: return "not deterministic: nothing else can be said";
    case Outcome::kNone:
      if (report.complete) return "no violation: the whole space was covered";
      break;
    case Outcome::kBudget: break;
  }
  return "no violation found, but the search is not complete";
}

void AppendPath(const model::Service& service, const model::Violation& violation,
                std::string& text) {
  absl::StrAppend(&text, "\n", violation.invariant, ": ", violation.text);
  for (size_t i = 0; i < violation.path.size(); ++i) {
    const model::PathStep& step = violation.path[i];
    absl::StrAppend(&text, "\n  ", i + 1, ". ", model::Describe(service, step.node, step.event));
  }
}

Report MakeReport(const model::Service& service, predictors::CoveredReport covered) {
  Report report;
  static_cast<model::Report&>(report) = std::move(covered.report);
  report.covers_everything = predictors::IsFull(covered.coverage);
  report.text = Verdict(report);
  for (const model::Violation& violation : report.violations) {
    AppendPath(service, violation, report.text);
  }
  absl::StrAppend(&report.text, "\n", predictors::CoverageText(covered.coverage));
  for (const std::string& note : predictors::CoverageNotes(covered.coverage, report)) {
    report.notes.push_back(note);
  }
  for (const std::string& note : report.notes) absl::StrAppend(&report.text, "\n", note);
  return report;
}

absl::StatusOr<Report> CheckSystem(const model::System& system, const Engine& engine,
                                   const CheckOptions& options) {
  predictors::EngineOptions engine_options;
  engine_options.all_invariants = options.all_invariants;
  if (engine.accepts.contains(predictors::EngineOption::kComponents)) {
    engine_options.components = system.components;
  }
  const auto now = [] { return std::chrono::steady_clock::now(); };
  model::Budget budget({options.steps, options.bytes, now() + options.budget}, now);
  auto covered =
      predictors::ExploreCovered(engine, engine_options, *system.service, system.start, budget);
  if (!covered.ok()) return covered.status();
  return MakeReport(*system.service, *std::move(covered));
}

}  // namespace

absl::StatusOr<Report> Check(const model::ServiceFamily& family, const CheckOptions& options) {
  try {
    const absl::StatusOr<model::System> system = MakeSystem(family, options);
    if (!system.ok()) return system.status();
    const absl::StatusOr<Engine> engine = FindEngine(options.engine);
    if (!engine.ok()) return engine.status();
    return CheckSystem(*system, *engine, options);
  } catch (const std::exception& e) {
    return absl::FailedPreconditionError(
        absl::StrCat("the service threw outside of a handler: ", e.what()));
  }
}

}  // namespace foretell
