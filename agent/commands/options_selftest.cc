#include <CLI/CLI.hpp>

#include "foretell/agent/commands/command.h"
#include "foretell/agent/commands/selftest.h"

namespace foretell::agent {

Command AddSelftest(CLI::App& root, const Parts&) {
  CLI::App* const app = root.add_subcommand(
      "selftest", "Compare all engines with the naive search on random services");
  app->footer(
      "Exit code: 0 all agree, 1 some do not, 2 bad usage.\n\n"
      "Example:\n  foretell selftest --count 5000 --seed 7");
  auto args = std::make_shared<SelftestArgs>();
  app->add_option("--count", args->count, "How many services to make up; default 2000")
      ->type_name("N");
  app->add_option("--seed", args->seed, "Seed of the first, the others follow; default 1")
      ->type_name("S");
  return {app, std::make_shared<std::vector<std::string>>(),
          [args](const Parts&, Streams& streams) { return RunSelftestCommand(*args, streams); }};
}

}  // namespace foretell::agent
