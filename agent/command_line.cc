#include "agent/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>

#include "absl/strings/str_cat.h"
#include "agent/command_check.h"
#include "agent/command_explain.h"
#include "agent/command_selftest.h"
#include "agent/command_services.h"
#include "agent/nearest_name.h"
#include "agent/plugins.h"
#include "agent/version.h"

namespace foretell::agent {
namespace {

// A command: its options, and what runs once they are read. To add one, write its Add function
// and name it in AddCommands.
struct Command {
  CLI::App* app;
  std::shared_ptr<std::vector<std::string>> plugins;
  std::function<int(const Parts&, Streams&)> run;
};

std::shared_ptr<std::vector<std::string>> AddPluginOption(CLI::App& app) {
  auto plugins = std::make_shared<std::vector<std::string>>();
  app.add_option("--plugin", *plugins, "Also offer the services of this library; repeatable")
      ->type_name("LIB.so")
      ->expected(1)
      ->take_all();
  return plugins;
}

Command AddServices(CLI::App& root) {
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

std::string EngineHelp(const Parts& parts) {
  std::string text = "Engine; the default is " + parts.engines.front().name;
  for (const Engine& engine : parts.engines) {
    absl::StrAppend(&text, "\n  ", engine.name, ": ", engine.text);
  }
  return text;
}

void AddCheckBounds(CLI::App& app, CheckArgs& args) {
  app.add_option("--budget", args.budget, "Time to spend: 500ms, 10s, 2m, 1h; default 60s")
      ->type_name("TIME");
  app.add_option("--steps", args.steps, "Steps to spend; makes a bounded check repeatable")
      ->type_name("N");
  app.add_option("--depth", args.depth, "Follow paths of at most N steps")->type_name("N");
  app.add_option("--memory", args.memory, "Memory to hold: 512MiB, 4GiB, 2GB; default 4GiB")
      ->type_name("SIZE");
  app.add_option("--order", args.order, "bfs (shortest paths) or dfs; engines global and por")
      ->type_name("ORDER");
  app.add_option("--assertions", args.assertions,
                 "What to make of a broken local assertion, engines lmc and\n"
                 "lmc-gen: discard the state (default) or verify that it is real")
      ->type_name("HOW");
}

Command AddCheck(CLI::App& root, const Parts& parts) {
  CLI::App* const app = root.add_subcommand("check", "Search a service for violations");
  app->footer(
      "Exit code: 0 nothing found, 1 violation, 2 bad usage or input,\n"
      "3 not complete although --require-complete asks for it.\n\n"
      "Example:\n"
      "  foretell check paxos --scenario learned-by-one --bug last-response --budget 10s");
  auto args = std::make_shared<CheckArgs>();
  app->add_option("SERVICE", args->service, "One of `foretell services`")
      ->required()
      ->type_name("");
  app->add_option("--scenario", args->scenario, "Where to start; default: the service's first")
      ->type_name("NAME");
  app->add_option("--bug", args->bug, "Plant this bug")->type_name("NAME");
  app->add_option("--engine", args->engine, EngineHelp(parts))->type_name("NAME");
  AddCheckBounds(*app, *args);
  app->add_flag("--all-invariants", args->all_invariants,
                "Go on after a violation until every invariant is decided");
  app->add_flag("--require-complete", args->require_complete,
                "Exit 3 unless the whole space was covered");
  app->add_option("--json", args->json, "Write the result as JSON to FILE, - for standard output")
      ->type_name("FILE");
  auto plugins = AddPluginOption(*app);
  return {app, plugins, [args, plugins](const Parts& all, Streams& streams) {
            args->plugins = *plugins;
            return RunCheck(*args, all, streams);
          }};
}

Command AddExplain(CLI::App& root) {
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

Command AddSelftest(CLI::App& root) {
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
          [args](const Parts&, Streams& streams) { return RunSelftestCommand(*args, streams); }};
}

std::vector<Command> AddCommands(CLI::App& root, const Parts& parts) {
  return {AddServices(root), AddCheck(root, parts), AddExplain(root), AddSelftest(root)};
}

// CLI11 would say "not expected"; the nearest command helps more.
absl::Status CheckCommandName(const std::vector<std::string>& args,
                              const std::vector<Command>& commands) {
  if (args.empty() || args.front().starts_with("-")) return absl::OkStatus();
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const Command& command : commands) names.push_back(command.app->get_name());
  if (std::find(names.begin(), names.end(), args.front()) != names.end()) return absl::OkStatus();
  return UnknownName("command", args.front(), names);
}

// The first word that CLI11 could not place, with the nearest option if it looks like one.
absl::Status UnexpectedWord(const CLI::App& root, const std::vector<Command>& commands) {
  const CLI::App* app = &root;
  for (const Command& command : commands) {
    if (command.app->parsed()) app = command.app;
  }
  const std::vector<std::string> words = app->remaining();
  const std::string word = words.empty() ? "" : words.front();
  if (!word.starts_with("-")) {
    return absl::InvalidArgumentError(absl::StrCat("unexpected argument '", word, "'"));
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return UnknownName("option", word, names);
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

}  // namespace

int RunForetell(const std::vector<std::string>& args, Parts& parts, Streams& streams) {
  CLI::App root("Foretell finds the ways in which a distributed system can go wrong.");
  PrepareRoot(root);
  const std::vector<Command> commands = AddCommands(root, parts);
  if (absl::Status known = CheckCommandName(args, commands); !known.ok()) {
    return Fail(streams, known);
  }
  // The one place where CLI11's exceptions end.
  try {
    root.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::Success& wish) {  // --help or --version.
    root.exit(wish, streams.out, streams.err);
    return kExitNothing;
  } catch (const CLI::ExtrasError&) {
    return Fail(streams, UnexpectedWord(root, commands));
  } catch (const CLI::ParseError& error) {
    return Fail(streams, absl::InvalidArgumentError(error.what()));
  }
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    absl::Status loaded = AppendPlugins(*command.plugins, parts.catalog);
    return loaded.ok() ? command.run(parts, streams) : Fail(streams, loaded);
  }
  streams.err << root.help();
  return kExitUsage;
}

}  // namespace foretell::agent
