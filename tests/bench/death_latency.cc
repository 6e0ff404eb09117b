#include <algorithm>
#include <chrono>
#include <ctime>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/integration/chord/family.h"
#include "foretell/integration/pastry/family.h"
#include "foretell/integration/randtree/family.h"
#include "foretell/integration/transport/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/life_watch.h"
#include "foretell/predictors/views/service_views.h"
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

// Seconds from cuts to what is said of them.
struct Times {
  std::vector<double> processor;
  std::vector<double> wall;  // With whatever else the machine does.
};
struct Verdicts {
  std::map<predictors::Life, Times> of;
  size_t dead() const {
    const auto found = of.find(predictors::Life::kDead);
    return found == of.end() ? 0 : found->second.wall.size();
  }
};

// One cut, for an agent that has never seen this system.
void Judge(const model::Service& service, const std::string& property, const model::SystemCut& cut,
           Verdicts& verdicts) {
  const auto begin = Now();
  const auto wall = std::chrono::steady_clock::now();
  model::Budget budget({.deadline = begin + kBudget}, Now);
  const auto forecasts = predictors::LifeWatch(service, {}).JudgeCut(cut, /*exact=*/true, budget);
  const Seconds processor = Now() - begin;
  const Seconds waited = std::chrono::steady_clock::now() - wall;
  for (const predictors::LifeForecast& forecast : forecasts) {
    if (forecast.property != property) continue;
    Times& times = verdicts.of[forecast.life];
    times.processor.push_back(processor.count());
    times.wall.push_back(waited.count());
  }
}

// A cluster that does what it likes, faults and calls included, and a cut now and then. A run ends
// soon after its death: what is dead stays so.
void Simulate(const model::System& system, const std::string& property, uint64_t seed,
              Verdicts& verdicts) {
  const predictors::OpenToCalls open(*system.service);
  model::PlainSystem cluster(open, system.start);
  std::mt19937_64 random(seed);
  const size_t dead_before = verdicts.dead();
  for (int step = 1; step <= kStepsMax && verdicts.dead() < dead_before + 3; ++step) {
    const std::vector<model::PathStep> enabled = cluster.Enabled();
    if (enabled.empty()) return;
    if (!cluster.Apply(enabled[random() % enabled.size()]).ok()) return;
    if (step % kStepsApart == 0) Judge(*system.service, property, cluster.state(), verdicts);
  }
}

struct Subject {
  const model::ServiceFamily& family;
  const char* scenario;
  const char* bug;
  const char* property;
};

bool AddRows(const Subject& subject, uint64_t wanted, Table& table) {
  const auto system = subject.family.Make(subject.scenario, subject.bug);
  if (!system.ok()) return false;
  Verdicts verdicts;
  constexpr uint64_t kRunsPerDeath = 200;
  for (uint64_t seed = 1; verdicts.dead() < wanted && seed <= wanted * kRunsPerDeath; ++seed) {
    Simulate(*system, subject.property, seed, verdicts);
  }
  if (verdicts.dead() < wanted) return false;
  for (const auto& [life, times] : verdicts.of) {
    const bool dead = life == predictors::Life::kDead;
    table.Add({absl::StrCat(subject.family.name(), ", ", subject.bug, ": ",
                            predictors::LifeName(life), dead ? ", proved" : ""),
               absl::StrCat(times.wall.size()), Time(Seconds(Median(times.processor))),
               Time(Seconds(Quantile(times.processor, 0.99))),
               Time(Seconds(Quantile(times.wall, 0.99))), dead ? "< 250 ms" : kNoFigure});
  }
  return true;
}

}  // namespace

bool PrintDeaths(const SnapshotPlan& plan, std::ostream& out) {
  out << "DEATHS: from a cut of a simulated cluster to the verdict on a liveness predicate in it, "
         "in processor time and by the clock\n\n";
  const integration::transport::Family transport;
  const integration::randtree::Family randtree;
  const integration::chord::Family chord;
  const integration::pastry::Family pastry;
  const Subject subjects[] = {
      {transport, "two-give-ups", "stale-syn", "all-acked"},
      {randtree, "leaf-resets", "init-ignores-reply", "kids-match"},
      {chord, "ring-3-reset", "mute-outsider", "all-nodes"},
      {pastry, "leaves-2-idle", "rejoin", "all-joined"},
  };
  Table table;
  table.Add({"from the cut", "cuts", "p50", "p99", "p99, clock", "target"});
  const bool right = std::all_of(std::begin(subjects), std::end(subjects),
                                 [&](const Subject& s) { return AddRows(s, plan.deaths, table); });
  if (!right) out << "TOO FEW CUTS ARE DEAD\n";
  out << table.Text(1);
  return right;
}

}  // namespace foretell::bench
