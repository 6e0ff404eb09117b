#include <CLI/CLI.hpp>

#include "foretell/agent/commands/command.h"
#include "foretell/agent/commands/explain.h"

namespace foretell::agent {

Command AddExplain(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("explain", "Replay a violation that `check --json` found, and draw it");
  app->footer(
      "Example:\n"
      "  foretell check paxos --bug first-value --json bug.json\n"
      "  foretell explain bug.json --format svg --output bug.svg");
  auto args = std::make_shared<ExplainArgs>();
  app->add_option("FILE", args->file, "What `foretell check --json` wrote")
      ->required()
      ->type_name("");
  app->add_option("--format", args->format, "text (default), mermaid or svg")->type_name("FORMAT");
  app->add_option("--output", args->output, "Write to FILE instead of standard output")
      ->type_name("FILE");
  app->add_option("--violation", args->violation, "Which violation of the report; default 1")
      ->type_name("K");
  auto plugins = AddPluginOption(*app);
  return {app, plugins, [args, plugins](const Parts& parts, Streams& streams) {
            args->plugins = *plugins;
            return RunExplain(*args, parts, streams);
          }};
}

}  // namespace foretell::agent
