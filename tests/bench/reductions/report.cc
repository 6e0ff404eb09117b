// `scripts/bench reductions`: fewer states, exactly; papers beside ours, all of ours measured in
// this run.

#include <CLI/CLI.hpp>
#include <iostream>

#include "foretell/tests/bench/reductions/sections.h"

int main(int argc, char** argv) {
  bool full = false;
  uint64_t steps = 6'000'000;
  CLI::App app("Fewer states, exactly: what reductions bring.");
  app.add_flag("--full", full, "without a limit on steps");
  app.add_option("--steps", steps, "of each search");
  CLI11_PARSE(app, argc, argv);
  const bool right = foretell::bench::PrintTable1(full ? UINT64_MAX : steps, std::cout);
  std::cout << "\n";
  foretell::bench::PrintCanonical(std::cout);
  return right ? 0 : 1;
}
