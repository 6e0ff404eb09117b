#include <CLI/CLI.hpp>

#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/commands/demo.h"
#include "foretell/agent/demo/demo_script.h"

namespace foretell::agent {

Command AddDemo(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("demo", "Watch a real cluster go wrong, then steer it away, in a minute");
  std::string demos = "There is:\n";
  for (const DemoScript& script : DemoScripts()) {
    absl::StrAppend(&demos, "  --service ", script.service, script.bug.empty() ? "" : " --bug ",
                    script.bug, "\n      ", script.text, "\n");
  }
  app->footer(absl::StrCat(
      demos,
      "\nExit code: 0 foreseen, and prevented by steering; 1 not prevented; 2 bad usage or input;\n"
      "3 the bug did not show, or was not foreseen: try another --seed; 130 interrupted.\n\n"
      "Example:\n  foretell demo --service paxos --bug first-value"));
  auto args = std::make_shared<DemoArgs>();
  app->add_option("--service", args->service, "Which service; default paxos")->type_name("NAME");
  app->add_option("--bug", args->bug, "Which bug; default: the first of the service")
      ->type_name("NAME");
  app->add_option("--seed", args->seed,
                  "Of losses, delays and calls; default: one that shows the bug soon")
      ->type_name("N");
  app->add_option("--calls", args->calls, "At most so many in each run; default 60")
      ->type_name("N");
  app->add_option("--output", args->output, "For the bundle, the picture and the archives")
      ->type_name("FOLDER");
  app->add_flag("--keep", args->keep, "Keep the folder with sockets and logs");
  return {app, std::make_shared<std::vector<std::string>>(),
          [args](const Parts& parts, Streams& streams) { return RunDemo(*args, parts, streams); }};
}

}  // namespace foretell::agent
