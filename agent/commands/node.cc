#include "foretell/agent/commands/node.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/integration/sdk/host.h"
#include "nlohmann/json.hpp"

namespace foretell::agent {
namespace {

using integration::sdk::Host;
using integration::sdk::HostOptions;

// Without a store, the lives of a node are told apart by when they began: tenths of seconds since
// the start of 2026, which fit into the 32 bits that there are until 2039.
uint64_t EpochOf(int64_t unix_nanos) {
  constexpr int64_t kNanosAt2026 = 1'767'225'600'000'000'000;
  return static_cast<uint64_t>(std::max<int64_t>(1, (unix_nanos - kNanosAt2026) / 100'000'000));
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

std::string ReadyLine(const Host& host, model::NodeId node) {
  nlohmann::ordered_json line = {{"node", node.value()}, {"listen", host.listen_address()}};
  line["client"] = host.client_address();
  line["agent"] = host.agent_address();
  return line.dump() + "\n";
}

}  // namespace

int RunNode(const NodeArgs& args, const Parts& parts, Streams& streams) {
  const auto scenario = ScenarioOf(args, parts);
  if (!scenario.ok()) return Fail(streams, scenario.status());
  const auto selection = Select(parts.catalog, args.service, *scenario, args.bug);
  if (!selection.ok()) return Fail(streams, selection.status());
  const model::Service& service = *selection->system.service;
  HostOptions options;
  absl::Status status = SetIdentity(args, *selection, options);
  if (status.ok()) status = SetAddresses(args, options);
  if (status.ok()) status = SetFaults(args, service.node_count(), options);
  if (!status.ok()) return Fail(streams, status);
  options.checkpoints = !args.no_checkpoints;
  options.stepped = args.stepped;
  options.epoch = EpochOf(WallNow());
  options.stop_on_signals = true;
  options.now = streams.now;
  options.log = [&streams](const std::string& line) { streams.err << line << std::endl; };
  const model::NodeId node = options.node;
  const auto host = Host::Open(service, std::move(options));
  if (!host.ok()) return Fail(streams, host.status());
  if (args.ready_file.empty()) {
    streams.out << ReadyLine(**host, node) << std::flush;
  } else {
    status = WriteFileAtomically(args.ready_file, ReadyLine(**host, node));
    if (!status.ok()) return Fail(streams, status);
  }
  return (*host)->Run().ok() ? kExitNothing : kExitViolation;
}

}  // namespace foretell::agent
