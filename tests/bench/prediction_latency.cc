#include <chrono>
#include <ctime>
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

// Of one clock and, for machines that have other things to do, of the processor: all threads.
struct Moment {
  Clock::time_point wall = Clock::now();
  std::clock_t processor = std::clock();
};

struct Durations {
  std::vector<double> wall;  // Seconds.
  std::vector<double> processor;

  void Add(const Moment& begin, const Moment& end) {
    wall.push_back(Seconds(end.wall - begin.wall).count());
    processor.push_back(static_cast<double>(end.processor - begin.processor) / CLOCKS_PER_SEC);
  }
};

struct Latencies {
  Durations prediction;  // From the cut to the confirmed violation ...
  Durations plan;        // ... and to a plan that was checked.
};

// One round of an agent that has never seen this system, so that no known path helps.
bool Round(const model::System& system, const model::SystemCut& live,
           std::chrono::milliseconds time, Latencies& latencies) {
  const Moment begin;
  const auto portfolio = predictors::Portfolio::Make(*system.service, {});
  if (!portfolio.ok()) return false;
  const auto prediction = (*portfolio)->Predict(live, RoundBudget(time));
  const Moment predicted;
  if (!prediction.ok() || prediction->predicted.size() != 1) return false;
  model::Budget budget = RoundBudget(time);
  const auto plan =
      predictors::PlanRound(*system.service, *prediction, prediction->predicted.front(),
                            {.steerable = {true, true, true}}, budget);
  const Moment planned;
  if (!plan.ok() || plan->filters.empty()) return false;
  latencies.prediction.Add(begin, predicted);
  latencies.plan.Add(begin, planned);
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
  table.Add({"", "", "", "p50", "processor", ""});
  table.Add({"from the cut", "p50", "p99", "target", "p50", "paper"});
  const auto add = [&table](const char* what, const Durations& durations, const char* target,
                            const char* paper) {
    table.Add({what, Time(Seconds(Median(durations.wall))),
               Time(Seconds(Quantile(durations.wall, 0.99))), target,
               Time(Seconds(Median(durations.processor))), paper});
  };
  add("to the confirmed violation", latencies.prediction, "< 15 ms", "11 s");
  add("to a checked plan that stops it", latencies.plan, "< 1 s", kNoFigure);
  out << table.Text(2);
  return true;
}

}  // namespace foretell::bench
