#include "foretell/agent/commands/replay.h"

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/drawing/drawing.h"
#include "foretell/snapshot/storage/frame.h"

namespace foretell::agent {
namespace {

// An option that would be ignored is an error: the user would draw wrong conclusions.
absl::Status RefuseGiven(
    const char* kind, std::initializer_list<std::pair<const char*, const std::string&>> options) {
  for (const auto& [name, value] : options) {
    if (value.empty()) continue;
    return absl::InvalidArgumentError(absl::StrCat(name, " means nothing to ", kind));
  }
  return absl::OkStatus();
}

void AddArchiveOptions(CLI::App& app, ReplayArgs& args) {
  app.add_option("--engine", args.engine,
                 "Archive: engine; see `foretell check --help`.\nDefault: those of an agent, as it "
                 "runs them")
      ->type_name("NAME");
  app.add_option("--budget", args.budget, "Archive: time per cut; default 1s")->type_name("TIME");
  app.add_option("--steps", args.steps, "Archive: steps per cut; makes it repeatable")
      ->type_name("N");
  app.add_option("--jobs", args.jobs, "Archive: cuts at a time; default: one per core")
      ->type_name("N");
  app.add_option("--every", args.every, "Archive: every K-th cut only")->type_name("K");
  app.add_option("--json", args.json, "Archive: the result as JSON to FILE, - for standard output")
      ->type_name("FILE");
}

}  // namespace

int RunReplay(const ReplayArgs& args, const Parts& parts, Console& console) {
  const auto kind = snapshot::KindOfFile(args.file);
  const bool bundle = kind.ok() && *kind == snapshot::FrameKind::kBundle;
  const absl::Status sensible =
      bundle ? RefuseGiven("a bundle", {{"--engine", args.engine},
                                        {"--budget", args.budget},
                                        {"--steps", args.steps},
                                        {"--jobs", args.jobs},
                                        {"--every", args.every},
                                        {"--json", args.json}})
             : RefuseGiven("an archive", {{"--format", args.format}, {"--output", args.output}});
  // A file that cannot be read is the first thing to hear about.
  if (kind.ok() && !sensible.ok()) return Fail(console, sensible);
  return bundle ? ReplayBundle(args, parts, console) : ReplayArchive(args, parts, console);
}

Command AddReplay(CLI::App& root, const Parts&) {
  CLI::App* const app = root.add_subcommand(
      "replay", "See a predicted violation again, or check all cuts of an archive");
  app->footer(
      "A bundle is replayed step by step; an archive is checked, cut by cut, for what would\n"
      "have been predicted.\n"
      "Exit code: 0 nothing found or not reproduced, 1 violation, 2 bad usage or input,\n"
      "130 interrupted before anything was found.\n\n"
      "Example:\n"
      "  foretell replay bundles/agreement-17.bundle --format svg --output bug.svg\n"
      "  foretell replay archive.ftl --engine portfolio --budget 500ms --every 10");
  auto args = std::make_shared<ReplayArgs>();
  app->add_option("FILE", args->file, "A bundle or an archive that `foretell agent` wrote")
      ->required()
      ->type_name("");
  app->add_flag("--force", args->force,
                "Also what another version of the service's code has recorded");
  app->add_option("--format", args->format, "Bundle: " + FormatsText())->type_name("FORMAT");
  app->add_option("--output", args->output, "Bundle: write to FILE instead of standard output")
      ->type_name("FILE");
  AddArchiveOptions(*app, *args);
  auto plugins = AddPluginOption(*app);
  return {app, plugins, [args, plugins](const Parts& parts, Console& console) {
            args->plugins = *plugins;
            return RunReplay(*args, parts, console);
          }};
}

}  // namespace foretell::agent
