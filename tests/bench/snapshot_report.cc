// `scripts/bench snapshot`: what snapshots and predictions of live systems cost, beside what they
// may cost.

#include <CLI/CLI.hpp>
#include <iostream>

#include "foretell/tests/bench/snapshot_sections.h"

int main(int argc, char** argv) {
  foretell::bench::SnapshotPlan plan;
  CLI::App app("What snapshots and predictions of live systems cost.");
  const auto add = [&app](const char* name, uint64_t& count, const char* text) {
    app.add_option(name, count, text)->capture_default_str()->check(CLI::PositiveNumber);
  };
  add("--checkpoints", plan.checkpoints, "checkpoints of each shape of state");
  add("--cuts", plan.cuts, "cuts of each kind");
  add("--predictions", plan.predictions, "predictions and plans");
  add("--deaths", plan.deaths, "dead cuts of each system");
  CLI11_PARSE(app, argc, argv);

  bool right = PrintCheckpoints(plan, std::cout);
  std::cout << "\n";
  right = PrintCuts(plan, std::cout) && right;
  std::cout << "\n";
  right = PrintPredictions(plan, std::cout) && right;
  std::cout << "\n";
  right = PrintDeaths(plan, std::cout) && right;
  std::cout << std::flush;
  return right ? 0 : 1;
}
