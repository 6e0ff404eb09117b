#include <CLI/CLI.hpp>

#include "foretell/agent/commands/command.h"
#include "foretell/agent/commands/services.h"

namespace foretell::agent {

Command AddServices(CLI::App& root, const Parts&) {
  CLI::App* const app = root.add_subcommand(
      "services", "List services, their scenarios, planted bugs and invariants");
  app->footer("Example:\n  foretell services");
  auto args = std::make_shared<ServicesArgs>();
  app->add_option("--json", args->json, "Write JSON to FILE instead, - for standard output")
      ->type_name("FILE");
  return {app, AddPluginOption(*app), [args](const Parts& parts, Streams& streams) {
            return RunServices(*args, parts, streams);
          }};
}

}  // namespace foretell::agent
