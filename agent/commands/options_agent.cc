#include <CLI/CLI.hpp>

#include "foretell/agent/commands/agent.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/sidecar/config/config.h"

namespace foretell::agent {
namespace {

void AddConfigOptions(CLI::App& app, AgentArgs& args) {
  app.add_option("--config", args.config, "The configuration")->type_name("FILE");
  app.add_option("--set", args.settings, "Override a key of it: rounds.period=2s; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  app.add_option("--mode", args.modes, "off, observe, shadow or enforce; repeatable")
      ->type_name("INVARIANT=MODE")
      ->expected(1)
      ->take_all();
}

}  // namespace

Command AddAgent(CLI::App& root, const Parts&) {
  CLI::App* const app = root.add_subcommand("agent", "Watch a live cluster and predict violations");
  app->footer(
      "Telemetry goes where the OTEL_* variables say. SIGUSR1 throws the kill switch (no veto\n"
      "any more), SIGUSR2 releases it, SIGTERM ends the agent; the nodes go on in any case.\n\n"
      "Example:\n"
      "  foretell agent --config /etc/foretell/agent.toml --mode agreement=shadow");
  auto args = std::make_shared<AgentArgs>();
  AddConfigOptions(*app, *args);
  app->add_option("--events", args->events,
                  "Also write events as JSON lines to FILE, - for stdout;\n"
                  "of more than 64 MiB four files are kept, FILE.1 and so on")
      ->type_name("FILE");
  app->add_option("--rounds", args->rounds, "Stop after N rounds")->type_name("N");
  app->add_option("--kill", args->kill, "Throw the kill switch of the agent at this socket")
      ->type_name("SOCKET");
  app->add_option("--reason", args->reason, "Why, for its audit log")->type_name("TEXT");
  app->add_option("--revive", args->revive, "Release it again")->type_name("SOCKET");
  app->add_option("--status", args->status, "Ask the agent at this socket how it is")
      ->type_name("SOCKET");
  return {app, AddPluginOption(*app),
          [args](const Parts& parts, Streams& streams) { return RunAgent(*args, parts, streams); }};
}

Command AddValidate(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("validate", "Check an agent's configuration and say what it means");
  app->footer("Keys:\n" + ConfigKeys() +
              "  invariants.NAME         the mode of one invariant\n"
              "  [[nodes]]               id, address, steer; once per node\n\n"
              "Each key can be set by an environment variable too: FORETELL_ROUNDS_PERIOD=2s,\n"
              "FORETELL_INVARIANTS_ONE_HOLDER=shadow for one-holder. Nodes are only read from the "
              "file.\n\n"
              "Exit code: 0 valid, 2 not valid. What only this machine lacks, like a folder, is a\n"
              "warning.\n\n"
              "Example:\n  foretell validate --config agent.toml");
  auto args = std::make_shared<AgentArgs>();
  AddConfigOptions(*app, *args);
  return {app, AddPluginOption(*app), [args](const Parts& parts, Streams& streams) {
            return RunValidate(*args, parts, streams);
          }};
}

}  // namespace foretell::agent
