#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/recorded/recorded_bundle.h"
#include "foretell/agent/recorded/recorded_plans.h"
#include "foretell/snapshot/archive/bundle.h"

namespace foretell::agent {
namespace {

using snapshot::Bundle;

// `foretell plan`, as the user typed it.
struct PlanArgs {
  std::string file;
  std::string faults = "always";
  std::string steps = "2000000";
  std::string json;  // A file, or "-" for `console.out`.
  bool force = false;
};

// Names and states come from the monitored system.
std::string PrintableLines(const std::string& text, bool utf8) {
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  return absl::StrJoin(lines, "\n", [utf8](std::string* out, const std::string& line) {
    out->append(Printable(line, utf8));
  });
}

int Show(const PlanArgs& args, const Plans& plans, const Bundle& bundle,
         const model::Service& service, Console& console) {
  const std::string json = PlansJson(plans, bundle, service);
  if (args.json == "-") {
    console.out << json << std::flush;
  } else {
    console.out << PrintableLines(PlansText(plans, bundle, service), console.out_style.utf8)
                << std::flush;
  }
  if (!args.json.empty() && args.json != "-") {
    if (auto status = WriteFileAtomically(args.json, json); !status.ok())
      return Fail(console, status);
  }
  return plans.agent.plan.filters.empty() ? kExitViolation : kExitNothing;
}

int RunPlan(const PlanArgs& args, const Parts& parts, Console& console) {
  uint64_t steps = 0;
  if (!absl::SimpleAtoi(args.steps, &steps) || steps == 0) {
    return Fail(console,
                absl::InvalidArgumentError("--steps " + args.steps + ": is no number of steps"));
  }
  if (args.faults != "always" && args.faults != "never") {
    return Fail(console, absl::InvalidArgumentError(absl::StrCat(
                             "--imagined-faults ", args.faults,
                             ": is neither never nor always; a file does not say what is likely")));
  }
  const auto bundle = snapshot::ReadBundle(args.file);
  if (!bundle.ok()) return Fail(console, bundle.status());
  const auto fail = [&](const absl::Status& status) {
    return Fail(console, absl::InvalidArgumentError(
                             absl::StrCat(args.file, ": ", std::string(status.message()))));
  };
  model::Catalog found;
  const auto selection = SelectFor(*bundle, args.force, parts, found, console);
  if (!selection.ok()) return fail(selection.status());
  const model::Service& service = *selection->system.service;
  if (auto status = CheckInvariant(service, bundle->invariant); !status.ok()) return fail(status);
  const auto violation = Reproduce(service, *bundle);
  if (!violation.ok()) return fail(violation.status());
  const auto plans = MakePlans(service, *bundle, *violation, args.faults == "always", steps);
  return plans.ok() ? Show(args, *plans, *bundle, service, console) : fail(plans.status());
}

}  // namespace

Command AddPlan(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("plan", "What would stop a predicted violation, and what that leaves");
  app->footer(
      "Makes the plan that an agent in shadow or enforce would make from the cut of the bundle:\n"
      "what it stops, what it lets through, and the alternatives, one per event of the path that\n"
      "can be vetoed. Takes all nodes for steerable.\n"
      "Exit code: 0 there is a plan, 1 there is none, 2 bad usage or input.\n\n"
      "Example:\n"
      "  foretell plan bundles/agreement-17.bundle\n"
      "  foretell plan bundles/agreement-17.bundle --imagined-faults never --json -");
  auto args = std::make_shared<PlanArgs>();
  app->add_option("BUNDLE", args->file, "A bundle that `foretell agent` wrote")
      ->required()
      ->type_name("");
  app->add_option("--imagined-faults", args->faults,
                  "Plan against faults that have not happened: never or always, the default")
      ->type_name("WHEN");
  app->add_option("--steps", args->steps, "Of the searches; default 2000000")->type_name("N");
  app->add_option("--json", args->json, "The result as JSON to FILE, - for standard output")
      ->type_name("FILE");
  app->add_flag("--force", args->force,
                "Also what another version of the service's code has recorded");
  auto plugins = AddPluginOption(*app);
  return {app, plugins,
          [args](const Parts& parts, Console& console) { return RunPlan(*args, parts, console); }};
}

}  // namespace foretell::agent
