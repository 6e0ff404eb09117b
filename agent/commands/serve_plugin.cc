#include "foretell/agent/commands/serve_plugin.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "foretell/agent/console/console.h"
#include "foretell/model/foreign/host_library.h"

namespace foretell::agent {

Command AddServePlugin(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("serve-plugin", "Answers requests on standard input with a library");
  app->group("");
  app->footer("\nExample:\n  foretell serve-plugin liblock.so");
  auto path = std::make_shared<std::string>();
  app->add_option("LIBRARY", *path, "A library with the functions of foretell_service.h")
      ->required();
  return {app, std::make_shared<std::vector<std::string>>(),
          [path](const Parts&, Console& console) {
            const absl::Status served = model::HostLibrary(*path);
            return served.ok() ? kExitNothing : Fail(console, served);
          }};
}

}  // namespace foretell::agent
