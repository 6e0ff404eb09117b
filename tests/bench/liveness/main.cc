// Liveness beside the figures of the MaceMC paper (NSDI 2007): every planted bug, every correct
// version, what exact judgement costs over a search, the paper's way to the critical transition
// beside ours, and how far and how fast walks go.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "foretell/agent/console/files.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/tests/bench/figures.h"
#include "foretell/tests/bench/liveness/planted.h"
#include "foretell/tests/bench/liveness/plot.h"
#include "foretell/tests/bench/liveness/sections.h"
#include "foretell/tests/bench/measure.h"

namespace foretell::bench {
namespace {

predictors::EngineOptions Asking(const std::string& property) {
  predictors::EngineOptions options;
  options.property = property;
  return options;
}

// The most that judging has held: what stays, and what it needs while it judges.
std::string BitsMore(const model::Stats& live, const model::Stats& global) {
  const auto more = static_cast<double>(*live.visited_bytes - *global.visited_bytes);
  return absl::StrFormat("%.1f", 8 * more / static_cast<double>(*live.global_states));
}

// What the one who runs it chose.
struct ReportPlan {
  uint64_t repeats = 5;
  uint64_t executions = 10;  // Of each planted bug.
  uint64_t samples = 2'000;  // Of each correct system.
  std::string plot;          // A file; empty: none.
};

class Report {
 public:
  explicit Report(ReportPlan plan) : plan_(std::move(plan)), bench_({.repeats = plan_.repeats}) {}

  bool Run() {
    Planted();
    Clean();
    Cost();
    Reduced();
    PrintGoals(bench_);
    wrong_ += PrintCriticalTransitions(bench_, plan_.executions);
    const std::vector<StepsToLive> steps = SampleStepsToLive(bench_, plan_.samples);
    PrintStepsToLive(steps);
    PrintWalks(bench_);
    if (!plan_.plot.empty()) Plot(steps);
    std::cout << (wrong_ == 0 ? "Every row is as it must be.\n"
                              : absl::StrCat(wrong_, " rows are wrong, marked WRONG.\n"));
    return wrong_ == 0;
  }

 private:
  std::string Judge(bool right) {
    if (!right) ++wrong_;
    return right ? "" : "WRONG";
  }

  void Planted() {
    Table table;
    table.Add({"bug", "property", "verdict", "critical step", "proof", "states", "time", ""});
    std::vector<Seconds> times;
    for (const PlantedDeath& row : kPlantedDeaths) {
      const auto selection = bench_.Select(row.service, row.scenario, row.bug);
      const Measured run = bench_.Check(selection, "live", Asking(row.property));
      times.push_back(run.cpu);
      const model::Report& report = run.report;
      const model::Death* const death =
          report.violations.empty() ? nullptr : report.violations[0].death.get();
      const bool right = death != nullptr && death->proof.checked &&
                         death->critical_step == row.critical_step && death->by_loss == row.by_loss;
      table.Add({absl::StrCat(row.service, " ", row.scenario, ", ", row.bug), row.property,
                 model::VerdictName(report.liveness->verdict),
                 death ? absl::StrCat(death->critical_step, death->by_loss ? " and a loss" : "")
                       : kNoFigure,
                 death ? absl::StrCat(model::ProofName(death->proof.how), ", ", death->proof.states)
                       : kNoFigure,
                 Count(report.stats.global_states), Time(run.cpu), Judge(right)});
    }
    std::sort(times.begin(), times.end());
    std::cout << "Planted bugs: search, proof and critical transition together, processor time\n\n"
              << table.Text(1) << "\nmedian " << Time(times[times.size() / 2]) << ", worst "
              << Time(times.back())
              << "; the paper: median 5 min to a suspicion and 9 min to the critical transition, "
                 "on machines of 2006\n\n";
  }

  void Clean() {
    Table table;
    table.Add({"correct", "property", "verdict", "states", "time", ""});
    for (const CleanSystem& row : kCleanSystems) {
      const auto selection = bench_.Select(row.service, row.scenario);
      const Measured run = bench_.Check(selection, "live", Asking(row.property));
      const bool right =
          run.report.complete && run.report.liveness->verdict == model::LivenessVerdict::kLive;
      table.Add({absl::StrCat(row.service, " ", row.scenario), row.property,
                 model::VerdictName(run.report.liveness->verdict),
                 Count(run.report.stats.global_states), Time(run.cpu), Judge(right)});
    }
    std::cout << "Correct versions\n\n" << table.Text(1) << "\n";
  }

  // On streams both searches visit the same states.
  void Cost() {
    Table table;
    table.Add({"exact judgement", "states", "live", "global", "ratio", "bits more per state"});
    for (const char* scenario : {"ring-3-reset", "ring-4"}) {
      const auto selection = bench_.Select("chord", scenario);
      const Measured live = bench_.Check(selection, "live", Asking("all-nodes"));
      predictors::EngineOptions states;
      states.minimise = false;
      const Measured global = bench_.Check(selection, "global", states);
      table.Add({absl::StrCat("chord ", scenario), Count(live.report.stats.global_states),
                 Time(live.cpu), Time(global.cpu), Times(live.cpu / global.cpu),
                 BitsMore(live.report.stats, global.report.stats)});
    }
    std::cout << "Cost over a search for violations of the same space (goal: 2.5x, and 2 bits per "
                 "state)\n\n"
              << table.Text(1) << "\n";
  }

  void Plot(const std::vector<StepsToLive>& steps) {
    const absl::Status written = agent::WriteFileAtomically(plan_.plot, PlotStepsToLive(steps));
    if (!written.ok()) ++wrong_;
    std::cout << (written.ok() ? absl::StrCat("Plotted to ", plan_.plot, ".")
                               : std::string(written.message()))
              << "\n\n";
  }

  // On streams, where nothing is dead: spaces that have to be searched to the end.
  void Reduced() {
    Table table;
    table.Add({"reduced", "states live", "live-por", "transitions live", "live-por", "time live",
               "live-por", ""});
    for (const CleanSystem& row : kCleanSystems) {
      const auto selection = bench_.Select(row.service, row.scenario);
      if (selection.system.service->network().kind != model::NetworkKind::kStreams) continue;
      const Measured live = bench_.Check(selection, "live", Asking(row.property));
      const Measured reduced = bench_.Check(selection, "live-por", Asking(row.property));
      const model::Stats& all = live.report.stats;
      const model::Stats& some = reduced.report.stats;
      const bool right = reduced.report.complete && some.global_states <= all.global_states;
      table.Add({absl::StrCat(row.service, " ", row.scenario), Count(all.global_states),
                 Count(some.global_states), Count(all.transitions), Count(some.transitions),
                 Time(live.cpu), Time(reduced.cpu), Judge(right)});
    }
    std::cout << "Partial-order reduction of the search for death\n\n" << table.Text(1) << "\n";
  }

  const ReportPlan plan_;
  const Bench bench_;
  int wrong_ = 0;
};

}  // namespace
}  // namespace foretell::bench

int main(int argc, char** argv) {
  CLI::App app{"Liveness beside the figures of the MaceMC paper"};
  foretell::bench::ReportPlan plan;
  app.add_option("--repeat", plan.repeats, "Runs of each check; the median counts")
      ->check(CLI::Range(1, 1000));
  app.add_option("--executions", plan.executions,
                 "Executions of each planted bug on which algorithm 3 of the paper is measured")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--samples", plan.samples, "Executions of each correct system until it is live")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--plot", plan.plot, "Draw figure 2 of the paper, ours beside it, as SVG")
      ->type_name("FILE");
  CLI11_PARSE(app, argc, argv);
  return foretell::bench::Report(std::move(plan)).Run() ? 0 : 1;
}
