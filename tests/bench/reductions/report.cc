// `scripts/bench reductions`: fewer states, exactly; papers beside ours, all of ours measured in
// this run.

#include <CLI/CLI.hpp>
#include <iostream>

#include "foretell/tests/bench/reductions/sections.h"

int main(int argc, char** argv) {
  bool full = false;
  CLI::App app("Fewer states, exactly: what reductions bring.");
  app.add_flag("--full", full, "also what takes minutes");
  CLI11_PARSE(app, argc, argv);
  return foretell::bench::PrintTable1(full, std::cout) ? 0 : 1;
}
