#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/check/plugins.h"
#include "foretell/agent/check/selection.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/run_sidecar.h"
#include "foretell/agent/sidecar/signals.h"
#include "foretell/snapshot/rpc/agent_control.h"
#include "foretell/snapshot/storage/line_file.h"

extern char** environ;

namespace foretell::agent {
namespace {

// `foretell agent` and `foretell validate`, as the user typed them.
struct AgentArgs {
  std::string config;
  std::vector<std::string> settings;  // KEY=VALUE.
  std::vector<std::string> modes;     // INVARIANT=MODE.
  std::string events;                 // A file, or "-" for `console.out`.
  std::string kill;                   // Control socket of a running agent.
  std::string revive;
  std::string status;
  std::string reason;
  bool json = false;   // Of the status.
  std::string rounds;  // Stop after so many.
  std::vector<std::string> plugins;
};

constexpr std::chrono::milliseconds kControlTimeout{2000};

std::map<std::string, std::string> Environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

absl::Status AddSetting(const std::string& text, const std::string& prefix, const char* flag,
                        Overrides& overrides) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return absl::InvalidArgumentError(absl::StrCat(flag, " '", text, "' is not NAME=VALUE"));
  }
  overrides.settings.emplace_back(prefix + text.substr(0, equals), text.substr(equals + 1));
  return absl::OkStatus();
}

absl::StatusOr<ResolvedConfig> ReadConfigAndService(const AgentArgs& args, const Parts& parts) {
  Overrides overrides{.environment = Environment()};
  for (const std::string& text : args.settings) {
    if (auto status = AddSetting(text, "", "--set", overrides); !status.ok()) return status;
  }
  for (const std::string& text : args.modes) {
    if (auto status = AddSetting(text, "invariants.", "--mode", overrides); !status.ok()) {
      return status;
    }
  }
  if (args.config.empty()) return absl::InvalidArgumentError("--config FILE is needed");
  const auto text = ReadFile(args.config);
  if (!text.ok()) return text.status();
  auto config = ParseConfig(args.config, *text, overrides);
  if (!config.ok()) return config.status();
  model::Catalog own;
  if (auto loaded = AppendPlugins(config->plugins, own); !loaded.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(config->PlaceOf("service.plugins").text, ": ", std::string(loaded.message())));
  }
  const bool from_plugin = model::FindFamily(own, config->service) != nullptr;
  auto resolved = ResolveConfig(*std::move(config), from_plugin ? own : parts.catalog);
  if (!resolved.ok()) return resolved;
  // Whoever replays what was found needs them all.
  std::vector<std::string>& plugins = resolved->config.plugins;
  plugins.insert(plugins.end(), args.plugins.begin(), args.plugins.end());
  return resolved;
}

// What does not stop the agent, but is hardly meant.
void Warn(const Config& config, Console& console) {
  std::vector<std::string> lines = config.warnings;
  for (std::string& line : MissingFiles(config)) lines.push_back(std::move(line));
  for (const std::string& line : lines) {
    console.err << "foretell: warning: " << Printable(line, console.err_style.utf8) << "\n";
  }
}

absl::Status Control(const AgentArgs& args, Console& console) {
  if (!args.kill.empty()) return snapshot::SendKill(args.kill, args.reason, kControlTimeout);
  if (!args.revive.empty()) return snapshot::SendRevive(args.revive, kControlTimeout);
  const auto status = snapshot::AskStatus(args.status, kControlTimeout);
  if (!status.ok()) return status.status();
  if (args.json && status->json.empty()) {
    return absl::UnimplementedError("that agent is older and has no JSON of its status");
  }
  if (args.json) {
    console.out << status->json;
    return absl::OkStatus();
  }
  console.out << (status->killed ? "killed " + status->reason : std::string("running")) << ", "
              << status->rounds << " rounds\n";
  for (const auto& line : absl::StrSplit(status->text, '\n', absl::SkipEmpty())) {
    console.out << Printable(std::string(line), console.out_style.utf8) << "\n";
  }
  return absl::OkStatus();
}

// Where events go; null if they are not wanted on a file.
absl::StatusOr<std::unique_ptr<snapshot::LineStream>> OpenEvents(const AgentArgs& args) {
  if (args.events.empty() || args.events == "-") return std::unique_ptr<snapshot::LineStream>();
  auto lines = snapshot::LineFile::Open({.path = args.events});
  if (lines.ok()) return std::make_unique<snapshot::LineStream>(*std::move(lines));
  return absl::NotFoundError("--events " + std::string(lines.status().message()));
}

// What a SIGHUP asks for: the configuration of now. Nothing, and a log of what is wrong with it, if
// it is none; then all goes on as it was.
std::optional<ResolvedConfig> Reread(const AgentArgs& args, const Parts& parts, AgentLog& log) {
  auto fresh = ReadConfigAndService(args, parts);
  if (fresh.ok()) return *std::move(fresh);
  for (const auto& line :
       absl::StrSplit(std::string(fresh.status().message()), '\n', absl::SkipEmpty())) {
    log.Log("not configured anew: " + std::string(line));
  }
  return std::nullopt;
}

// One life of the agent after the other, each until a SIGHUP brings another configuration. Files
// are opened anew in each. One that does not start costs nothing: the one before goes on.
absl::Status RunReloading(const AgentArgs& args, const Parts& parts, ResolvedConfig first,
                          uint64_t rounds_max, Console& console) {
  AgentSignals signals;
  std::string thrown;
  std::optional<ResolvedConfig> before;
  std::optional<ResolvedConfig> current = std::move(first);
  while (true) {
    const auto file = OpenEvents(args);
    if (!file.ok()) return file.status();
    AgentLog log(console.err, args.events == "-" ? &console.out : file->get(), WallNow);
    std::optional<ResolvedConfig> next;
    const auto stop = [&] {
      if (!next && signals.TakeHangup()) next = Reread(args, parts, log);
      return next || signals.stop() || console.interrupted();
    };
    const absl::Status status =
        RunSidecar(*current, {.log = log,
                              .stop = stop,
                              .kill_signalled = [&] { return signals.kill(); },
                              .now = console.now,
                              .rounds_max = rounds_max,
                              .goes_on = [&] { return next.has_value(); },
                              .thrown = &thrown});
    if (!status.ok() && !before) return status;
    if (!status.ok()) {
      log.Log(absl::StrCat("the new configuration does not start, the old one goes on: ",
                           std::string(status.message())));
      current = std::exchange(before, std::nullopt);
      continue;
    }
    if (!next) return status;
    before = std::exchange(current, std::exchange(next, std::nullopt));
  }
}

// Runs until it is told to stop. Returns an ExitCode.
int RunAgent(const AgentArgs& args, const Parts& parts, Console& console) {
  if (!args.kill.empty() || !args.revive.empty() || !args.status.empty()) {
    const absl::Status status = Control(args, console);
    return status.ok() ? kExitNothing : Fail(console, status);
  }
  auto resolved = ReadConfigAndService(args, parts);
  if (!resolved.ok()) return FailLines(console, resolved.status());
  Warn(resolved->config, console);
  uint64_t rounds_max = UINT64_MAX;
  if (!args.rounds.empty()) {
    const auto rounds = ParseCount(args.rounds);
    if (!rounds.ok()) return Fail(console, rounds.status());
    rounds_max = *rounds;
  }
  const absl::Status status = RunReloading(args, parts, *std::move(resolved), rounds_max, console);
  return status.ok() ? kExitNothing : Fail(console, status);
}

// Reads the configuration and says what it means, or what is wrong with it.
int RunValidate(const AgentArgs& args, const Parts& parts, Console& console) {
  const auto resolved = ReadConfigAndService(args, parts);
  if (!resolved.ok()) return FailLines(console, resolved.status());
  Warn(resolved->config, console);
  console.out << args.config << " is valid\n" << Describe(*resolved);
  return kExitNothing;
}

void AddConfigOptions(CLI::App& app, AgentArgs& args) {
  app.add_option("--config", args.config, "The configuration")->type_name("FILE");
  app.add_option("--set", args.settings, "Override a key of it: rounds.period=2s; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  app.add_option("--mode", args.modes, "off, observe, shadow, enforce or guard; repeatable")
      ->type_name("INVARIANT=MODE")
      ->expected(1)
      ->take_all();
}

}  // namespace

Command AddAgent(CLI::App& root, const Parts&) {
  CLI::App* const app = root.add_subcommand("agent", "Watch a live cluster and predict violations");
  app->footer(
      "Telemetry goes where the OTEL_* variables say. SIGUSR1 throws the kill switch (no veto\n"
      "any more), SIGUSR2 releases it, SIGHUP reads the configuration again and opens files anew,\n"
      "SIGTERM ends the agent; the nodes go on in any case.\n\n"
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
  CLI::Option* const status =
      app->add_option("--status", args->status,
                      "Ask the agent at this socket how it is, and why nothing is predicted")
          ->type_name("SOCKET");
  app->add_flag("--json", args->json, "The same as JSON")->needs(status);
  auto plugins = AddPluginOption(*app);
  return {app, plugins, [args, plugins](const Parts& parts, Console& console) {
            args->plugins = *plugins;
            return RunAgent(*args, parts, console);
          }};
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
  return {app, AddPluginOption(*app), [args](const Parts& parts, Console& console) {
            return RunValidate(*args, parts, console);
          }};
}

}  // namespace foretell::agent
