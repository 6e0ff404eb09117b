// `scripts/bench lmc`: the figures of the LMC paper beside ours, all of ours measured in this run.

#include <CLI/CLI.hpp>
#include <iostream>

#include "foretell/tests/bench/lmc_sections.h"

int main(int argc, char** argv) {
  foretell::bench::Plan plan;
  CLI::App app("The figures of the LMC paper beside ours.");
  app.add_flag("--full", plan.full,
               "run three-proposals, and the unreduced search of two-proposals to its end: "
               "minutes, 2 GB of memory");
  app.add_option("--steps", plan.steps, "steps of that search without --full")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--repeat", plan.repeats, "how often a short measurement is repeated, at most")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  const foretell::bench::Bench bench(plan);
  std::cout << "Paxos: the LMC paper (NSDI 2011; 3.00 GHz Pentium 4) beside Foretell on one core.\n"
            << "All of ours was measured in this run, by the wall clock (steady_clock). A short\n"
            << "measurement is the median of at most " << plan.repeats
            << " runs, as many as start within 3 s.\n"
            << "Memory: tables and visited states. Faster, fewer: than the unreduced search.\n"
            << "Global states of lmc: those that soundness verification visited.\n"
            << "-: there is no such figure, or the paper's text does not say.\n\n";
  bool right = PrintOneProposal(bench, std::cout);
  std::cout << "\n";
  // Before what takes more memory than this.
  right = PrintThreeProposals(bench, std::cout) && right;
  std::cout << "\n";
  right = PrintTwoProposals(bench, std::cout) && right;
  std::cout << "\n";
  right = PrintPlantedBug(bench, std::cout) && right;
  std::cout << std::flush;
  return right ? 0 : 1;
}
