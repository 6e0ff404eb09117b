#include <algorithm>
#include <iostream>
#include <optional>

#include "absl/strings/str_cat.h"
#include "foretell/lmc/lmc_explorer.h"
#include "foretell/model/check.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/views/service_views.h"
#include "foretell/tests/bench/liveness/planted.h"
#include "foretell/tests/bench/liveness/sections.h"
#include "foretell/tests/bench/liveness/subject.h"

namespace foretell::bench {
namespace {

constexpr uint64_t kStepsMax = 2'000'000;

model::Budget Enough() {
  return model::Budget({.steps_max = kStepsMax}, [] { return model::Budget::Time{}; });
}

// The state in which a planted bug has killed, less what had to be lost for it.
model::SystemCut DeadCut(const model::System& system, const model::Violation& violation) {
  const auto steps = model::Replay(*system.service, system.start, violation.path);
  FORETELL_CHECK(steps.ok());
  model::SystemCut cut = steps->empty() ? system.start : steps->back().after;
  for (const model::Message& lost : violation.death->lost) {
    cut.in_flight.erase(std::find(cut.in_flight.begin(), cut.in_flight.end(), lost));
  }
  return cut;
}

// How much it took to decide; no time if it was not decided.
struct Decision {
  std::optional<Seconds> time;
  uint64_t steps = 0;
};

std::string TimeOf(const Decision& decision) {
  return decision.time ? Time(*decision.time) : "not decided";
}

Decision ByOracle(const agent::Selection& selection, const char* property,
                  const model::SystemCut& cut) {
  model::Budget budget = Enough();
  const Seconds begin = ProcessorTime();
  Subject subject(selection, property, /*seed=*/1);
  const auto fate = subject.oracle().Judge(subject.oracle().Place(cut), budget).fate;
  const Seconds time = ProcessorTime() - begin;
  return {fate == search::Oracle::Fate::kDead ? std::optional(time) : std::nullopt,
          budget.steps_taken()};
}

// Engine lmc, which looks for a state in which the predicate holds: complete, and none is there.
Decision ByLmc(const model::Service& service, const char* property, model::SystemCut cut) {
  // There are none any more, and so there were none.
  for (model::NodeState& node : cut.nodes) node.faults = {};
  model::Budget budget = Enough();
  const Seconds begin = ProcessorTime();
  const predictors::WithoutFaults faultless(service);
  const std::string names[] = {property};
  const auto goals = predictors::InvariantView::Goals(faultless, names, "");
  const auto report = lmc::MakeLmcExplorer(goals, {})->Explore(cut, budget);
  FORETELL_CHECK(report.ok());
  const Seconds time = ProcessorTime() - begin;
  return {report->complete && report->violations.empty() ? std::optional(time) : std::nullopt,
          budget.steps_taken()};
}

}  // namespace

void PrintGoals(const Bench& bench) {
  Table table;
  table.Add({"dead state of", "oracle", "steps", "lmc on goals", "steps"});
  size_t decided = 0;
  size_t rows = 0;
  for (const PlantedDeath& row : kPlantedDeaths) {
    const auto selection = bench.Select(row.service, row.scenario, row.bug);
    predictors::EngineOptions options;
    options.property = row.property;
    const model::Report report = bench.CheckOnce(selection, "live", UINT64_MAX, options).report;
    if (report.violations.empty()) continue;  // Marked wrong elsewhere.
    const model::SystemCut cut = DeadCut(selection.system, report.violations[0]);
    const Decision oracle = ByOracle(selection, row.property, cut);
    const Decision lmc = ByLmc(*selection.system.service, row.property, cut);
    ++rows;
    decided += lmc.time ? 1 : 0;
    table.Add({absl::StrCat(row.service, " ", row.scenario, ", ", row.bug), TimeOf(oracle),
               Count(oracle.steps), TimeOf(lmc), Count(lmc.steps)});
  }
  std::cout << "The oracle, and engine lmc on the predicate as a goal, on the same dead states ("
            << Count(kStepsMax) << " steps at most, processor time)\n\n"
            << table.Text(1) << "\nlmc decides " << decided << " of " << rows << "\n\n";
}

}  // namespace foretell::bench
