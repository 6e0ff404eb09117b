#include <chrono>
#include <vector>

#include "foretell/integration/paxos/family.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/predictors/round_plan.h"
#include "foretell/tests/bench/figures.h"
#include "foretell/tests/bench/snapshot_sections.h"
#include "foretell/tests/bench/statistics.h"
#include "foretell/tests/support/live_cut.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;

// What an agent gives the search of one round unless it is told otherwise.
constexpr std::chrono::milliseconds kBudget(500);
// On a machine that is too busy for that, a round is repeated with more.
constexpr std::chrono::minutes kBudgetMax(2);

model::Budget RoundBudget(std::chrono::milliseconds time) {
  const auto now = [] { return Clock::now(); };
  return model::Budget({.deadline = Clock::now() + time}, now);
}

struct Latencies {
  std::vector<double> prediction;  // Seconds from the cut to the confirmed violation ...
  std::vector<double> plan;        // ... and to a plan that was checked.
};

// One round of an agent that has never seen this system, so that no known path helps.
bool Round(const model::System& system, const model::SystemCut& live,
           std::chrono::milliseconds time, Latencies& latencies) {
  const Clock::time_point begin = Clock::now();
  const auto portfolio = predictors::Portfolio::Make(*system.service, {});
  if (!portfolio.ok()) return false;
  const auto prediction = (*portfolio)->Predict(live, RoundBudget(time));
  const Seconds predicted = Clock::now() - begin;
  if (!prediction.ok() || prediction->predicted.size() != 1) return false;
  model::Budget budget = RoundBudget(time);
  const auto plan =
      predictors::PlanRound(*system.service, *prediction, prediction->predicted.front(),
                            {.steerable = {true, true, true}}, budget);
  const Seconds planned = Clock::now() - begin;
  if (!plan.ok() || plan->filters.empty()) return false;
  latencies.prediction.push_back(predicted.count());
  latencies.plan.push_back(planned.count());
  return true;
}

}  // namespace

bool PrintPredictions(const SnapshotPlan& plan, std::ostream& out) {
  out << "PREDICTIONS from a live cut of Paxos in which the violation of LMC section 5.5 has "
         "become "
         "reachable; "
      << plan.predictions << " rounds\n\n";
  const auto system = integration::paxos::Family().Make("live", "last-response");
  if (!system.ok()) return false;
  const model::SystemCut live = tests::LiveLearnedByOne(*system);
  Latencies latencies;
  for (uint64_t i = 0; i < plan.predictions; ++i) {
    std::chrono::milliseconds time = kBudget;
    while (time <= kBudgetMax && !Round(*system, live, time, latencies)) time *= 2;
    if (time > kBudgetMax) {
      out << "NOT PREDICTED, OR NO PLAN\n";
      return false;
    }
  }
  Table table;
  table.Add({"from the cut", "p50", "p99", "target", "paper"});
  const auto add = [&table](const char* what, const std::vector<double>& seconds,
                            const char* target, const char* paper) {
    table.Add({what, Time(Seconds(Median(seconds))), Time(Seconds(Quantile(seconds, 0.99))), target,
               paper});
  };
  add("to the confirmed violation", latencies.prediction, "< 1 s", "11 s");
  add("to a checked plan that stops it", latencies.plan, "< 1 s", kNoFigure);
  out << table.Text(1);
  return true;
}

}  // namespace foretell::bench
