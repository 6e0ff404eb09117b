#include "foretell/tests/bench/measure.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "foretell/integration/catalog.h"
#include "foretell/model/check.h"

namespace foretell::bench {

using Clock = std::chrono::steady_clock;

Seconds ProcessorTime() {
  return Seconds(static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC));
}

Bench::Bench(Plan plan)
    : plan_(plan), parts_{integration::BuiltinServices(), predictors::AllEngines()} {}

agent::Selection Bench::Select(const std::string& service, const std::string& scenario,
                               const std::string& bug) const {
  absl::StatusOr<agent::Selection> selection =
      agent::Select(parts_.catalog, service, scenario, bug);
  FORETELL_CHECK(selection.ok());
  return *std::move(selection);
}

Measured Bench::CheckOnce(const agent::Selection& selection, const std::string& engine,
                          uint64_t steps_max, const predictors::EngineOptions& options) const {
  const absl::StatusOr<const predictors::Engine*> found =
      agent::SelectEngine(parts_.engines, engine);
  FORETELL_CHECK(found.ok());
  const auto explorer = (*found)->make(*selection.system.service, options);
  model::Budget budget({.steps_max = steps_max}, Clock::now);
  const Seconds cpu_begin = ProcessorTime();
  const Clock::time_point begin = Clock::now();
  absl::StatusOr<model::Report> report = explorer->Explore(selection.system.start, budget);
  const Seconds time = Clock::now() - begin;
  const Seconds cpu = ProcessorTime() - cpu_begin;
  FORETELL_CHECK(report.ok());
  return {engine, *std::move(report), time, cpu, 1};
}

Measured Bench::Check(const agent::Selection& selection, const std::string& engine,
                      const predictors::EngineOptions& options) const {
  std::vector<Measured> results =
      Repeat(plan_, [&] { return CheckOnce(selection, engine, UINT64_MAX, options); });
  const auto middle = results.begin() + static_cast<std::ptrdiff_t>(results.size() / 2);
  std::nth_element(results.begin(), middle, results.end(),
                   [](const Measured& a, const Measured& b) { return a.time < b.time; });
  middle->runs = results.size();
  return std::move(*middle);
}

}  // namespace foretell::bench
