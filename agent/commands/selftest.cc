#include "foretell/agent/selftest/selftest.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/console/live_line.h"
#include "foretell/agent/console/quantities.h"

namespace foretell::agent {
namespace {

// `foretell selftest`, as the user typed it; empty means not given.
struct SelftestArgs {
  std::string count;
  std::string seed;
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

// Returns 0 if all engines agree, 1 if not, 2 for impossible arguments.
int RunSelftestCommand(const SelftestArgs& args, Console& console) {
  SelftestOptions options;
  absl::Status status = ReadNumber("--count", args.count, 1, options.count);
  if (status.ok()) status = ReadNumber("--seed", args.seed, 0, options.seed);
  if (!status.ok()) return Fail(console, status);
  SelftestReport report;
  {
    LiveLine line(console);
    report = RunSelftest(options, StandardEngines(), [&](const SelftestReport& so_far) {
      if (!line.Due()) return;
      line.Show(absl::StrCat("selftest  ", FormatCount(so_far.checked), " of ",
                             FormatCount(options.count), " services  ", so_far.disagreements.size(),
                             " disagreements"));
    });
  }
  return PrintSelftest(report, console.out);
}

}  // namespace

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
          [args](const Parts&, Console& console) { return RunSelftestCommand(*args, console); }};
}

}  // namespace foretell::agent
