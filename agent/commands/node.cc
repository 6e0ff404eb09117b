#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/check/selection.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/socket_access.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/integration/sdk/host.h"
#include "nlohmann/json.hpp"

namespace foretell::agent {
namespace {

// `foretell node`, as the user typed it; empty means not given.
struct NodeArgs {
  std::string service;
  std::string scenario;  // Default: the one in which the service runs live.
  std::string bug;
  std::string cluster;
  std::string id;
  std::string peers;
  std::string listen;  // Default: this node's address among `peers`, else 127.0.0.1:0.
  std::string client;
  std::string agent;
  std::string agent_mode;  // Of a unix socket; default: the owner alone.
  std::string agent_group;
  std::string agent_bandwidth;  // Bytes a second; default: no limit.
  std::string tls_cert;
  std::string tls_key;
  std::string tls_ca;
  std::string store;
  std::string loss;
  std::string delay;
  std::string duplicate;
  std::string reorder;
  std::string partition;
  std::string seed;
  std::string ready_file;
  bool no_checkpoints = false;
  bool stepped = false;
};

using integration::sdk::Host;
using integration::sdk::HostOptions;

// Without a store, the lives of a node are told apart by when they began: tenths of seconds since
// the start of 2026, which fit into the 32 bits that there are until 2039.
uint64_t LifeBegunAt(UnixTime began) {
  constexpr UnixTime k2026 = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  return static_cast<uint64_t>(
      std::max<int64_t>(1, (began - k2026) / std::chrono::milliseconds(100)));
}

// Unknown names are left to Select, which knows the nearest ones.
absl::StatusOr<std::string> ScenarioOf(const NodeArgs& args, const Parts& parts) {
  const model::ServiceFamily* const family = model::FindFamily(parts.catalog, args.service);
  if (!args.scenario.empty() || family == nullptr) return args.scenario;
  if (!family->live_scenario().empty()) return family->live_scenario();
  std::vector<std::string> names;
  for (const model::Named& scenario : family->scenarios()) names.push_back(scenario.name);
  return absl::InvalidArgumentError(absl::StrCat("service ", args.service,
                                                 " has no scenario to run live: choose with "
                                                 "--scenario among ",
                                                 absl::StrJoin(names, ", ")));
}

absl::Status SetIdentity(const NodeArgs& args, const Selection& selection, HostOptions& options) {
  options.service = selection.service;
  options.scenario = selection.scenario;
  options.bug = selection.bug;
  options.version = selection.family->version();
  options.cluster = args.cluster;
  const uint32_t count = selection.system.service->node_count();
  const auto id = ParseCount(args.id, 0);
  if (!id.ok() || *id >= count) {
    return absl::InvalidArgumentError(
        absl::StrCat("--id ", args.id, ": write a node from 0 to ", count - 1));
  }
  options.node = model::NodeId(static_cast<uint32_t>(*id));
  const model::NodeState& start = selection.system.start.nodes[options.node.index()];
  if (start.status != model::NodeStatus::kUp || !selection.system.start.in_flight.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "scenario ", selection.scenario,
        " starts in the middle of things; nodes can only start with nothing in flight"));
  }
  options.start = start.body;
  return absl::OkStatus();
}

absl::Status SetAddresses(const NodeArgs& args, HostOptions& options) {
  if (!args.peers.empty()) options.peers = absl::StrSplit(args.peers, ',');
  if (!args.listen.empty()) {
    options.listen = args.listen;
  } else if (options.node.index() < options.peers.size()) {
    options.listen = options.peers[options.node.index()];
  }
  options.client = args.client;
  options.store = args.store;
  if (!args.agent_bandwidth.empty()) {
    const auto bytes = ParseSize(args.agent_bandwidth);
    if (!bytes.ok()) return bytes.status();
    options.limits.reply_bytes_per_second = *bytes;
  }
  options.tls = {args.tls_cert, args.tls_key, args.tls_ca};
  if (args.agent.empty()) return absl::OkStatus();
  auto address = snapshot::ParseAddress(args.agent);
  if (!address.ok()) return address.status();
  options.agent = *std::move(address);
  return absl::OkStatus();
}

absl::Status SetFaults(const NodeArgs& args, uint32_t node_count, HostOptions& options) {
  if (!args.seed.empty()) {
    const auto seed = ParseCount(args.seed, 0);
    if (!seed.ok()) return seed.status();
    options.seed = *seed;
    options.faults.seed = *seed;
  }
  for (const auto& [key, value] :
       {std::pair("loss", args.loss), std::pair("delay", args.delay),
        std::pair("duplicate", args.duplicate), std::pair("reorder", args.reorder),
        std::pair("partition", args.partition)}) {
    if (value.empty()) continue;
    auto faults =
        integration::sdk::ParseFaults(absl::StrCat(key, "=", value), options.faults, node_count);
    if (!faults.ok()) return faults.status();
    options.faults = *std::move(faults);
  }
  return absl::OkStatus();
}

absl::StatusOr<SocketAccess> AccessOf(const NodeArgs& args, const HostOptions& options) {
  SocketAccess access{.group = args.agent_group};
  const bool wanted = !args.agent_mode.empty() || !args.agent_group.empty();
  if (wanted && (!options.agent || options.agent->tcp)) {
    return absl::InvalidArgumentError(
        "--agent-mode and --agent-group are about a unix socket: --agent unix:PATH");
  }
  if (args.agent_mode.empty()) return access;
  const auto mode = ParseSocketMode(args.agent_mode);
  if (!mode.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--agent-mode ", std::string(mode.status().message())));
  }
  access.mode = *mode;
  return access;
}

std::string ReadyLine(const Host& host, model::NodeId node) {
  nlohmann::ordered_json line = {{"node", node.value()}, {"listen", host.listen_address()}};
  line["client"] = host.client_address();
  line["agent"] = host.agent_address();
  return line.dump() + "\n";
}

// Runs one live node until SIGTERM or SIGINT. Once it listens, writes one line of JSON that says
// where, to `console.out` or the ready file. Returns 0 after a clean stop, 1 if the node failed.
int RunNode(const NodeArgs& args, const Parts& parts, Console& console) {
  const auto scenario = ScenarioOf(args, parts);
  if (!scenario.ok()) return Fail(console, scenario.status());
  const auto selection = Select(parts.catalog, args.service, *scenario, args.bug);
  if (!selection.ok()) return Fail(console, selection.status());
  const model::Service& service = *selection->system.service;
  HostOptions options;
  absl::Status status = SetIdentity(args, *selection, options);
  if (status.ok()) status = SetAddresses(args, options);
  if (status.ok()) status = SetFaults(args, service.node_count(), options);
  if (!status.ok()) return Fail(console, status);
  const auto access = AccessOf(args, options);
  if (!access.ok()) return Fail(console, access.status());
  const std::string socket = options.agent && !options.agent->tcp ? options.agent->path : "";
  // A terminal that is closed, or a reload that is meant for agents, must not end a node.
  std::signal(SIGHUP, SIG_IGN);
  options.checkpoints = !args.no_checkpoints;
  options.stepped = args.stepped;
  options.life = LifeBegunAt(WallNow());
  options.stop_on_signals = true;
  options.now = console.now;
  options.log = [&console](const std::string& line) { console.err << line << std::endl; };
  const model::NodeId node = options.node;
  const auto host = Host::Open(service, std::move(options));
  if (!host.ok()) return Fail(console, host.status());
  if (!socket.empty()) status = GiveAccess(socket, *access);
  if (!status.ok()) return Fail(console, status);
  if (args.ready_file.empty()) {
    console.out << ReadyLine(**host, node) << std::flush;
  } else {
    status = WriteFileAtomically(args.ready_file, ReadyLine(**host, node));
    if (!status.ok()) return Fail(console, status);
  }
  return (*host)->Run().ok() ? kExitNothing : kExitViolation;
}

void AddNodeAddresses(CLI::App& app, NodeArgs& args) {
  app.add_option("--peers", args.peers,
                 "Addresses of all nodes by id: 127.0.0.1:7000,127.0.0.1:7001,...\n"
                 "If not given, they come later with the command `peers` of the client port")
      ->type_name("LIST");
  app.add_option("--listen", args.listen,
                 "Listen for peers here; default: this node's address among --peers,\n"
                 "else a free port of 127.0.0.1")
      ->type_name("HOST:PORT");
  app.add_option("--client", args.client, "Take commands of clients here; port 0: a free one")
      ->type_name("HOST:PORT");
  app.add_option("--agent", args.agent, "Listen for agents here: unix:PATH or tcp:HOST:PORT")
      ->type_name("ADDRESS");
  app.add_option("--agent-mode", args.agent_mode,
                 "Mode of that unix socket: 0660 lets its group connect; default: 0600")
      ->type_name("MODE");
  app.add_option("--agent-group", args.agent_group, "Group of that unix socket")
      ->type_name("GROUP");
  app.add_option("--tls-cert", args.tls_cert, "Certificate of this node, for tcp agents")
      ->type_name("FILE");
  app.add_option("--tls-key", args.tls_key, "Its private key")->type_name("FILE");
  app.add_option("--tls-ca", args.tls_ca, "Who signs the certificates of agents")
      ->type_name("FILE");
  app.add_option("--ready-file", args.ready_file,
                 "Write where the node listens to FILE instead of standard output")
      ->type_name("FILE");
}

void AddNodeFaults(CLI::App& app, NodeArgs& args) {
  app.add_option("--loss", args.loss, "Lose sent messages with this probability")->type_name("P");
  app.add_option("--delay", args.delay, "Delay them: 5ms or 1ms..5ms")->type_name("TIME");
  app.add_option("--duplicate", args.duplicate, "Send them twice with this probability")
      ->type_name("P");
  app.add_option("--reorder", args.reorder, "Hold them back with this probability")->type_name("P");
  app.add_option("--partition", args.partition, "Cut these nodes off: 0,2")->type_name("LIST");
  app.add_option("--seed", args.seed, "Decides faults, choices and jitter; default 1")
      ->type_name("N");
}

}  // namespace

Command AddNode(CLI::App& root, const Parts&) {
  CLI::App* const app = root.add_subcommand("node", "Run one live node of a service");
  app->footer(
      "Once it listens, the node prints one line of JSON that says where. SIGTERM stops it.\n"
      "Exit code: 0 stopped, 1 a handler or the store failed, 2 bad usage or input.\n\n"
      "Example:\n"
      "  foretell node --service paxos --id 0 --client 127.0.0.1:8000 \\\n"
      "      --peers 127.0.0.1:7000,127.0.0.1:7001,127.0.0.1:7002");
  auto args = std::make_shared<NodeArgs>();
  app->add_option("--service", args->service, "One of `foretell services`")
      ->required()
      ->type_name("NAME");
  app->add_option("--id", args->id, "Which node this is, from 0")->required()->type_name("N");
  app->add_option("--scenario", args->scenario, "Where to start; default: the live scenario")
      ->type_name("NAME");
  app->add_option("--bug", args->bug, "Plant this bug")->type_name("NAME");
  app->add_option("--cluster", args->cluster, "Only nodes with the same name talk to each other")
      ->type_name("NAME");
  AddNodeAddresses(*app, *args);
  app->add_option("--agent-bandwidth", args->agent_bandwidth,
                  "Send agents at most this much in a second: 4MiB; default: no limit")
      ->type_name("SIZE");
  app->add_option("--store", args->store, "Keep what survives a crash in this directory")
      ->type_name("DIR");
  AddNodeFaults(*app, *args);
  app->add_flag("--no-checkpoints", args->no_checkpoints,
                "Take no checkpoints: agents see nothing; to measure what they cost");
  app->add_flag("--stepped", args->stepped,
                "Time passes only by the command `clock MICROS` of the client port, so that a run\n"
                "does not depend on how fast the machine is");
  return {app, AddPluginOption(*app),
          [args](const Parts& parts, Console& console) { return RunNode(*args, parts, console); }};
}

}  // namespace foretell::agent
