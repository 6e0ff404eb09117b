#include "foretell/tests/mistakes/run_case.h"

#include <chrono>

#include "foretell/predictors/engines.h"

namespace foretell::mistakes {

std::string TextOf(const model::ServiceFamily& family, const std::string& engine,
                   CheckOptions options) {
  options.engine = engine;
  options.budget = std::chrono::hours(24);
  const absl::StatusOr<Report> report = Check(family, options);
  return report.ok() ? report->text : std::string(report.status().message());
}

std::vector<std::string> EveryEngine() {
  std::vector<std::string> names;
  for (const predictors::Engine& engine : predictors::SafetyEngines()) {
    // For programs that block, and nothing here does.
    if (engine.name != "dpor") names.push_back(engine.name);
  }
  return names;
}

}  // namespace foretell::mistakes
