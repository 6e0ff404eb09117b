#include <CLI/CLI.hpp>

#include "foretell/agent/commands/command.h"
#include "foretell/agent/commands/snapshots.h"

namespace foretell::agent {

Command AddSnapshots(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("snapshots", "List the cuts of an archive, or take one out");
  app->footer(
      "TIME is UTC: 2026-11-16, 2026-11-16T05:26:17Z or @1700000000. Older files of an archive\n"
      "have a number: archive.1.ftl, archive.2.ftl. What --extract writes is a plain message:\n"
      "  capnp decode snapshot/wire/foretell.capnp Snapshot < cut.bin\n\n"
      "Example:\n"
      "  foretell snapshots archive.ftl --since 2026-11-16T05:00 --absent\n"
      "  foretell snapshots archive.ftl --extract 17 --output cut.bin");
  auto args = std::make_shared<SnapshotsArgs>();
  app->add_option("FILE", args->file, "An archive that `foretell agent` wrote")
      ->required()
      ->type_name("");
  app->add_option("--since", args->since, "Only those taken then or later")->type_name("TIME");
  app->add_option("--until", args->until, "Only those taken then or before")->type_name("TIME");
  app->add_option("--number", args->number, "Only those with this number")->type_name("N");
  app->add_option("--service", args->service, "Only those of this service")->type_name("NAME");
  app->add_flag("--absent", args->absent, "Only those in which a node is absent");
  app->add_option("--json", args->json, "Write the list as JSON to FILE, - for standard output")
      ->type_name("FILE");
  app->add_option("--extract", args->extract, "Take out the snapshot with this number")
      ->type_name("N");
  app->add_option("--output", args->output, "Where it goes; - for standard output")
      ->type_name("FILE");
  return {app, std::make_shared<std::vector<std::string>>(),
          [args](const Parts&, Streams& streams) { return RunSnapshots(*args, streams); }};
}

}  // namespace foretell::agent
