// `scripts/bench dir`: the figures of the DEMETER paper beside ours, all of ours measured in this
// run.

#include <CLI/CLI.hpp>
#include <iostream>

#include "foretell/tests/bench/dir/sections.h"

int main(int argc, char** argv) {
  using namespace foretell::bench;
  DirPlan plan;
  bool full = false;
  CLI::App app("The figures of the DEMETER paper beside ours.");
  app.add_flag("--full", full, "300 s for each search instead of 2, and two threads");
  app.add_flag("--tiny", plan.tiny, "only what takes milliseconds");
  app.add_option("--threads", plan.threads, "also measure so many threads against one")
      ->check(CLI::Range(2, 64));
  CLI11_PARSE(app, argc, argv);
  if (full) plan.budget = Seconds(300);
  if (full && plan.threads == 0) plan.threads = 2;
  if (plan.tiny) plan.budget = Seconds(600);

  std::cout
      << "Dynamic interface reduction (DIR): the DEMETER paper (SOSP 2011) beside Foretell.\n"
      << "All of ours was measured in this run, by the wall clock (steady_clock), on one\n"
      << "core where it does not say otherwise. A search that takes less than a second is\n"
      << "repeated: the best of five, each at least 50 ms long; DIR and plain in turn.\n"
      << "plain search: the same checker on the whole system; DPOR where it does not say DFS.\n"
      << "-: there is no such figure.\n\n";
  bool right = PrintAccumulators(plan, std::cout);
  std::cout << std::endl;
  DirResults results;
  right = PrintTable2(plan, results, std::cout) && right;
  std::cout << std::endl;
  right = PrintInterfaces(results, std::cout) && right;
  std::cout << std::endl;
  right = PrintGrouping(plan, std::cout) && right;
  std::cout << std::endl;
  right = PrintHierarchies(plan, std::cout) && right;
  std::cout << std::endl;
  right = PrintInvariants(plan, std::cout) && right;
  if (plan.threads > 0) {
    std::cout << std::endl;
    right = PrintThreads(plan, std::cout) && right;
  }
  std::cout << std::flush;
  return right ? 0 : 1;
}
