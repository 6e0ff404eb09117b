#include <chrono>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/integration/randtree/family.h"
#include "foretell/integration/transport/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/life_watch.h"
#include "foretell/predictors/service_views.h"
#include "foretell/tests/bench/figures.h"
#include "foretell/tests/bench/snapshot_sections.h"
#include "foretell/tests/bench/statistics.h"

namespace foretell::bench {
namespace {

// Of the processor: whatever else the machine does is not measured. One thread judges.
std::chrono::steady_clock::time_point Now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::steady_clock::time_point(std::chrono::seconds(time.tv_sec) +
                                               std::chrono::nanoseconds(time.tv_nsec));
}

// A quarter of what an agent gives a round unless it is told otherwise.
constexpr std::chrono::milliseconds kBudget(125);
// Of a run between two cuts, and of a whole run.
constexpr int kStepsApart = 10;
constexpr int kStepsMax = 200;

struct Verdicts {
  std::vector<double> dead;   // Seconds from the cut to the proof, checked again ...
  std::vector<double> alive;  // ... and to the way to live.
  uint64_t others = 0;
};

// One cut, for an agent that has never seen this system.
void Judge(const model::Service& service, const std::string& property, const model::SystemCut& cut,
           Verdicts& verdicts) {
  const auto begin = Now();
  model::Budget budget({.deadline = begin + kBudget}, Now);
  const auto forecasts = predictors::LifeWatch(service, {}).JudgeCut(cut, /*exact=*/true, budget);
  const double seconds = Seconds(Now() - begin).count();
  for (const predictors::LifeForecast& forecast : forecasts) {
    if (forecast.property != property) continue;
    if (forecast.life == predictors::Life::kDead) {
      verdicts.dead.push_back(seconds);
    } else if (forecast.life == predictors::Life::kAlive) {
      verdicts.alive.push_back(seconds);
    } else {
      ++verdicts.others;
    }
  }
}

// A cluster that does what it likes, faults and calls included, and a cut now and then. A run ends
// soon after its death: what is dead stays so.
void Simulate(const model::System& system, const std::string& property, uint64_t seed,
              Verdicts& verdicts) {
  const predictors::OpenToCalls open(*system.service);
  model::PlainSystem cluster(open, system.start);
  std::mt19937_64 random(seed);
  const size_t dead_before = verdicts.dead.size();
  for (int step = 1; step <= kStepsMax && verdicts.dead.size() < dead_before + 3; ++step) {
    const std::vector<model::PathStep> enabled = cluster.Enabled();
    if (enabled.empty()) return;
    if (!cluster.Apply(enabled[random() % enabled.size()]).ok()) return;
    if (step % kStepsApart == 0) Judge(*system.service, property, cluster.state(), verdicts);
  }
}

bool AddRows(const model::ServiceFamily& family, const char* scenario, const char* bug,
             const char* property, uint64_t wanted, Table& table) {
  const auto system = family.Make(scenario, bug);
  if (!system.ok()) return false;
  Verdicts verdicts;
  constexpr uint64_t kRunsPerDeath = 200;
  for (uint64_t seed = 1; verdicts.dead.size() < wanted && seed <= wanted * kRunsPerDeath; ++seed) {
    Simulate(*system, property, seed, verdicts);
  }
  if (verdicts.dead.size() < wanted) return false;
  const auto add = [&](const char* what, const std::vector<double>& seconds, const char* target) {
    if (seconds.empty()) return;
    table.Add({absl::StrCat(family.name(), ", ", bug, ": ", what), absl::StrCat(seconds.size()),
               Time(Seconds(Median(seconds))), Time(Seconds(Quantile(seconds, 0.99))), target});
  };
  add("dead, proved", verdicts.dead, "< 250 ms");
  add("alive", verdicts.alive, kNoFigure);
  table.Add({absl::StrCat(family.name(), ", ", bug, ": holds, or not decided"),
             absl::StrCat(verdicts.others), kNoFigure, kNoFigure, kNoFigure});
  return true;
}

}  // namespace

bool PrintDeaths(const SnapshotPlan& plan, std::ostream& out) {
  out << "DEATHS: from a cut of a simulated cluster to the verdict on a liveness predicate in "
         "it, processor time\n\n";
  Table table;
  table.Add({"from the cut", "cuts", "p50", "p99", "target"});
  const bool right = AddRows(integration::transport::Family(), "two-give-ups", "stale-syn",
                             "all-acked", plan.deaths, table) &&
                     AddRows(integration::randtree::Family(), "leaf-resets", "init-ignores-reply",
                             "kids-match", plan.deaths, table);
  if (!right) out << "TOO FEW CUTS ARE DEAD\n";
  out << table.Text(1);
  return right;
}

}  // namespace foretell::bench
