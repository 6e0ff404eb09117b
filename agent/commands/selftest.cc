#include "foretell/agent/selftest/selftest.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/plugins.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/console/live_line.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/selftest/own_services.h"

namespace foretell::agent {
namespace {

// `foretell selftest`, as the user typed it; empty means not given.
struct SelftestArgs {
  std::string count;
  std::string programs;
  std::string seed;
  std::string states;
  std::vector<std::string> plugins;  // Not empty: their services instead of random ones.
};

absl::Status ReadNumber(const char* option, const std::string& text, uint64_t least,
                        uint64_t& value) {
  if (text.empty()) return absl::OkStatus();
  const absl::StatusOr<uint64_t> number = ParseCount(text, least);
  if (!number.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(option, ": ", std::string(number.status().message())));
  }
  value = *number;
  return absl::OkStatus();
}

// Returns 0 if all engines agree, 1 if not or if nothing could be compared, 2 for a bad plug-in.
int RunOnPlugins(const SelftestArgs& args, uint64_t states_max, Console& console) {
  model::Catalog catalog;
  if (absl::Status loaded = AppendPlugins(args.plugins, catalog); !loaded.ok()) {
    return Fail(console, loaded);
  }
  absl::StatusOr<std::vector<OwnCase>> cases;
  {
    LiveLine line(console);
    cases = CompareServices(catalog, states_max, StandardEngines(), [&](const std::string& name) {
      if (line.Due()) line.Show(absl::StrCat("selftest  ", name));
    });
  }
  return cases.ok() ? PrintCases(*cases, states_max, console.out) : Fail(console, cases.status());
}

// Returns 0 if all engines agree, 1 if not, 2 for impossible arguments.
int RunSelftestCommand(const SelftestArgs& args, Console& console) {
  SelftestOptions options;
  options.programs = 500;
  absl::Status status = ReadNumber("--count", args.count, 1, options.count);
  if (status.ok()) status = ReadNumber("--programs", args.programs, 0, options.programs);
  if (status.ok()) status = ReadNumber("--seed", args.seed, 0, options.seed);
  if (status.ok()) status = ReadNumber("--states", args.states, 1, options.states_max);
  if (!status.ok()) return Fail(console, status);
  if (!args.plugins.empty()) return RunOnPlugins(args, options.states_max, console);
  SelftestReport report;
  {
    LiveLine line(console);
    report = RunSelftest(options, StandardEngines(), [&](const SelftestReport& so_far) {
      if (!line.Due()) return;
      line.Show(absl::StrCat("selftest  ", FormatCount(so_far.checked), " of ",
                             FormatCount(options.count + options.programs), " services  ",
                             so_far.disagreements.size(), " disagreements"));
    });
  }
  return PrintSelftest(report, console.out);
}

}  // namespace

Command AddSelftest(CLI::App& root, const Parts&) {
  CLI::App* const app = root.add_subcommand(
      "selftest", "Compare all engines with the naive search on random services, or on yours");
  app->footer(
      "Exit code: 0 all agree, 1 some do not, 2 bad usage.\n\n"
      "Example:\n  foretell selftest --count 5000 --seed 7\n"
      "  foretell selftest --plugin 'exec:python3 lock.py'");
  auto args = std::make_shared<SelftestArgs>();
  app->add_option("--count", args->count, "How many services to make up; default 2000")
      ->type_name("N");
  app->add_option("--programs", args->programs,
                  "How many programs of processes that block, besides; default 500")
      ->type_name("N");
  app->add_option("--seed", args->seed, "Seed of the first, the others follow; default 1")
      ->type_name("S");
  app->add_option("--states", args->states, "Services with more states are skipped; default 3000")
      ->type_name("N");
  app->add_option("--plugin", args->plugins,
                  "Instead the services of this library, or of the processes of exec:COMMAND, in "
                  "every scenario and with every planted bug; repeatable")
      ->type_name("LIB.so|exec:COMMAND")
      ->expected(1)
      ->take_all();
  return {app, std::make_shared<std::vector<std::string>>(),
          [args](const Parts&, Console& console) { return RunSelftestCommand(*args, console); }};
}

}  // namespace foretell::agent
