#include "foretell/agent/commands/agent.h"

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/plugins.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/sidecar/run_sidecar.h"
#include "foretell/agent/sidecar/signals.h"
#include "foretell/snapshot/rpc/agent_control.h"
#include "foretell/snapshot/storage/line_file.h"

extern char** environ;

namespace foretell::agent {
namespace {

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

absl::StatusOr<Watch> ReadWatch(const AgentArgs& args, const Parts& parts) {
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
  return MakeWatch(*std::move(config), from_plugin ? own : parts.catalog);
}

// What does not stop the agent, but is hardly meant.
void Warn(const Config& config, Streams& streams) {
  std::vector<std::string> lines = config.warnings;
  for (std::string& line : MissingFiles(config)) lines.push_back(std::move(line));
  for (const std::string& line : lines) {
    streams.err << "foretell: warning: " << Printable(line, streams.err_look.utf8) << "\n";
  }
}

absl::Status Control(const AgentArgs& args, Streams& streams) {
  if (!args.kill.empty()) return snapshot::SendKill(args.kill, args.reason, kControlTimeout);
  if (!args.revive.empty()) return snapshot::SendRevive(args.revive, kControlTimeout);
  const auto status = snapshot::AskStatus(args.status, kControlTimeout);
  if (!status.ok()) return status.status();
  streams.out << (status->killed ? "killed " + status->reason : std::string("running")) << ", "
              << status->rounds << " rounds\n";
  return absl::OkStatus();
}

}  // namespace

int RunAgent(const AgentArgs& args, const Parts& parts, Streams& streams) {
  if (!args.kill.empty() || !args.revive.empty() || !args.status.empty()) {
    const absl::Status status = Control(args, streams);
    return status.ok() ? kExitNothing : Fail(streams, status);
  }
  auto watch = ReadWatch(args, parts);
  if (!watch.ok()) return FailLines(streams, watch.status());
  Warn(watch->config, streams);
  uint64_t rounds_max = UINT64_MAX;
  if (!args.rounds.empty()) {
    const auto rounds = ParseCount(args.rounds);
    if (!rounds.ok()) return Fail(streams, rounds.status());
    rounds_max = *rounds;
  }
  std::unique_ptr<LineStream> file;
  if (!args.events.empty() && args.events != "-") {
    auto lines = LineFile::Open({.path = args.events});
    if (!lines.ok()) {
      return Fail(streams,
                  absl::NotFoundError("--events " + std::string(lines.status().message())));
    }
    file = std::make_unique<LineStream>(*std::move(lines));
  }
  std::ostream* events = args.events == "-" ? &streams.out : file.get();
  Journal journal(streams.err, events, WallNow);
  const AgentSignals signals;
  const absl::Status status =
      RunSidecar(*watch, {.journal = journal,
                          .stop = [&] { return signals.stop() || streams.interrupted(); },
                          .kill_signalled = [&] { return signals.kill(); },
                          .now = streams.now,
                          .rounds_max = rounds_max});
  return status.ok() ? kExitNothing : Fail(streams, status);
}

int RunValidate(const AgentArgs& args, const Parts& parts, Streams& streams) {
  const auto watch = ReadWatch(args, parts);
  if (!watch.ok()) return FailLines(streams, watch.status());
  Warn(watch->config, streams);
  streams.out << args.config << " is valid\n" << Describe(*watch);
  return kExitNothing;
}

}  // namespace foretell::agent
