#include "foretell/agent/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/plugins.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/commands/serve_plugin.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/guard/watched_service.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

std::vector<Command> AddCommands(CLI::App& root, const Parts& parts) {
  using Add = Command (*)(CLI::App&, const Parts&);
  std::vector<Command> commands;
  for (const Add add : {AddServices, AddNew, AddCheck, AddDoctor, AddExplain, AddDebug, AddNode,
                        AddAgent, AddValidate, AddSnapshots, AddReplay, AddPlan, AddDemo, AddKv,
                        AddCall, AddAsk, AddSelftest, AddServePlugin}) {
    commands.push_back(add(root, parts));
  }
  return commands;
}

// CLI11 would say "not expected"; the nearest command helps more.
absl::Status CheckCommandName(const std::vector<std::string>& args,
                              const std::vector<Command>& commands) {
  if (args.empty() || args.front().starts_with("-")) return absl::OkStatus();
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const Command& command : commands) names.push_back(command.app->get_name());
  if (std::find(names.begin(), names.end(), args.front()) != names.end()) return absl::OkStatus();
  return model::UnknownName("command", args.front(), names);
}

// The first word that CLI11 could not place, with the nearest option if it looks like one; OK if
// it could place all.
absl::Status UnexpectedWord(const CLI::App& root, const std::vector<Command>& commands) {
  const CLI::App* app = &root;
  for (const Command& command : commands) {
    if (command.app->parsed()) app = command.app;
  }
  const std::vector<std::string> words = root.remaining(/*recurse=*/true);
  if (words.empty()) return absl::OkStatus();
  const std::string& word = words.front();
  if (!word.starts_with("-")) {
    return absl::InvalidArgumentError(absl::StrCat("unexpected argument '", word, "'"));
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return model::UnknownName("option", word, names);
}

void PrepareRoot(CLI::App& root) {
  root.name("foretell");
  root.set_version_flag("--version", absl::StrCat("foretell ", kVersion));
  root.get_formatter()->column_width(28);
  root.footer(
      "`foretell COMMAND --help` tells more about a command.\n\n"
      "Example:\n"
      "  foretell check paxos --scenario two-proposals");
}

// A search deals with what a service throws, and so do those that make one. This is for what else
// asks a service, such as a drawing.
int RunGuarded(const Command& command, const Parts& parts, Console& console) {
  try {
    return command.run(parts, console);
  } catch (const ServiceThrew& e) {
    return Fail(console, absl::FailedPreconditionError(e.what()));
  }
}

}  // namespace

std::shared_ptr<std::vector<std::string>> AddPluginOption(CLI::App& app) {
  auto plugins = std::make_shared<std::vector<std::string>>();
  app.add_option(
         "--plugin", *plugins,
         "Also offer the services of this library, or of the processes of exec:COMMAND; repeatable")
      ->type_name("LIB.so|exec:COMMAND")
      ->expected(1)
      ->take_all();
  return plugins;
}

int RunForetell(const std::vector<std::string>& args, Parts& parts, Console& console) {
  CLI::App root("Foretell finds the ways in which a distributed system can go wrong.");
  PrepareRoot(root);
  const std::vector<Command> commands = AddCommands(root, parts);
  if (absl::Status known = CheckCommandName(args, commands); !known.ok()) {
    return Fail(console, known);
  }
  // The one place where CLI11's exceptions end.
  try {
    root.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::Success& wish) {  // --help or --version.
    root.exit(wish, console.out, console.err);
    return kExitNothing;
  } catch (const CLI::ExtrasError&) {
    return Fail(console, UnexpectedWord(root, commands));
  } catch (const CLI::RequiredError& error) {
    // What is missing may be there, spelt like an option.
    const absl::Status word = UnexpectedWord(root, commands);
    return Fail(console, word.ok() ? absl::InvalidArgumentError(error.what()) : word);
  } catch (const CLI::ParseError& error) {
    return Fail(console, absl::InvalidArgumentError(error.what()));
  }
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    absl::Status loaded = AppendPlugins(*command.plugins, parts.catalog);
    return loaded.ok() ? RunGuarded(command, parts, console) : Fail(console, loaded);
  }
  console.err << root.help();
  return kExitUsage;
}

}  // namespace foretell::agent
