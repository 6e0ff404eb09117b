#include "foretell/agent/demo/cluster.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/files.h"

namespace foretell::agent {
namespace {

// A loaded machine can take long to start a process; a hang must end.
constexpr std::chrono::minutes kStartTimeout{5};

}  // namespace

absl::StatusOr<std::unique_ptr<Cluster>> Cluster::Start(ClusterOptions options) {
  const size_t count = options.node_count;
  std::unique_ptr<Cluster> cluster(new Cluster(std::move(options)));
  cluster->nodes_.resize(count);
  for (size_t n = 0; n < count; ++n) {
    cluster->nodes_[n].agent =
        cluster->options_.agent_tcp
            ? "tcp:127.0.0.1:0"
            : absl::StrCat("unix:", cluster->options_.folder, "/node", n, ".sock");
    if (auto status = cluster->Launch(n, "127.0.0.1:0"); !status.ok()) return status;
  }
  for (size_t n = 0; n < count; ++n) {
    if (auto status = cluster->Introduce(n); !status.ok()) return status;
  }
  return cluster;
}

absl::Status Cluster::Launch(size_t node, const std::string& listen) {
  std::vector<std::string> command = {options_.program, "node",
                                      "--service",      options_.service,
                                      "--id",           absl::StrCat(node),
                                      "--listen",       listen,
                                      "--client",       "127.0.0.1:0",
                                      "--agent",        agent_address(node),
                                      "--seed",         absl::StrCat(options_.seed)};
  const auto add = [&command](const std::string& flag, const std::string& value) {
    if (value.empty()) return;
    command.push_back(flag);
    command.push_back(value);
  };
  add("--scenario", options_.scenario);
  add("--bug", options_.bug);
  if (options_.stepped) command.push_back("--stepped");
  if (options_.store) add("--store", absl::StrCat(options_.folder, "/store", node));
  command.insert(command.end(), options_.node_flags.begin(), options_.node_flags.end());
  const std::string log = absl::StrCat(options_.folder, "/node", node, ".log");
  auto process = ChildProcess::Start(command, log);
  if (!process.ok()) return process.status();
  const auto line = (*process)->ReadLine(kStartTimeout);
  const auto ready = nlohmann::json::parse(line.ok() ? *line : "", nullptr, false);
  if (!ready.is_object() || !ready.contains("client") || !ready.contains("listen")) {
    return absl::UnavailableError(absl::StrCat("node ", node, " did not start; see ", log));
  }
  const auto client = ParseClientAddress(ready["client"].get<std::string>());
  if (!client.ok()) return client.status();
  nodes_[node] = {*std::move(process), ready["listen"].get<std::string>(), *client,
                  ready.value("agent", "")};
  return absl::OkStatus();
}

absl::Status Cluster::Introduce(size_t node) {
  const std::string peers = absl::StrJoin(
      nodes_, ",", [](std::string* out, const Node& peer) { absl::StrAppend(out, peer.listen); });
  const auto answer = Ask(node, "peers " + peers);
  if (!answer.ok()) return answer.status();
  if (answer->starts_with("ok")) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("node ", node, ": ", *answer));
}

absl::Status Cluster::Restart(size_t node) {
  const std::string listen = nodes_[node].listen;
  nodes_[node].process.reset();
  if (auto status = Launch(node, listen); !status.ok()) return status;
  return Introduce(node);
}

absl::StatusOr<std::string> Cluster::Ask(size_t node, const std::string& line) {
  return AskNode(nodes_[node].client, line);
}

absl::StatusOr<std::vector<std::string>> Cluster::AskAll(size_t node, const std::string& line) {
  return AskNodeAll(nodes_[node].client, line);
}

size_t Cluster::running() {
  return static_cast<size_t>(std::count_if(
      nodes_.begin(), nodes_.end(), [](const Node& node) { return node.process->Running(); }));
}

bool Cluster::Hint() {
  for (size_t n = 0; n < size(); ++n) {
    if (!process(n).Running()) continue;
    const auto answer = Ask(n, "hint");
    if (answer.ok() && answer->starts_with("ok")) return true;
  }
  return false;
}

absl::StatusOr<std::vector<uint64_t>> Cluster::Counters(const std::string& counter) {
  std::vector<uint64_t> values;
  for (size_t n = 0; n < size(); ++n) {
    if (!process(n).Running()) continue;
    const auto lines = AskAll(n, "stats");
    if (!lines.ok()) return lines.status();
    for (const std::string& line : *lines) {
      uint64_t value = 0;
      const bool named = line.starts_with(counter + " ");
      if (named && absl::SimpleAtoi(line.substr(counter.size() + 1), &value)) {
        values.push_back(value);
      }
    }
  }
  return values;
}

absl::StatusOr<uint64_t> Cluster::Total(const std::string& counter) {
  const auto values = Counters(counter);
  if (!values.ok()) return values.status();
  return std::accumulate(values->begin(), values->end(), uint64_t{0});
}

absl::StatusOr<uint64_t> Cluster::Highest(const std::string& counter) {
  const auto values = Counters(counter);
  if (!values.ok()) return values.status();
  return values->empty() ? 0 : *std::max_element(values->begin(), values->end());
}

absl::StatusOr<std::unique_ptr<ChildProcess>> Cluster::StartAgent(const std::string& more) const {
  const std::string config = options_.folder + "/agent.toml";
  const absl::Status written = WriteFileAtomically(config, AgentConfig(more));
  if (!written.ok()) return written;
  return ChildProcess::Start({options_.program, "agent", "--config", config, "--events", "-"},
                             agent_log());
}

std::string Cluster::AgentConfig(const std::string& more) const {
  std::string text = absl::StrCat("[service]\nname = \"", options_.service, "\"\n");
  if (!options_.scenario.empty()) {
    absl::StrAppend(&text, "scenario = \"", options_.scenario, "\"\n");
  }
  if (!options_.bug.empty()) absl::StrAppend(&text, "bug = \"", options_.bug, "\"\n");
  for (size_t n = 0; n < nodes_.size(); ++n) {
    absl::StrAppend(&text, "[[nodes]]\nid = ", n, "\naddress = \"", agent_address(n), "\"\n");
  }
  return text + more;
}

}  // namespace foretell::agent
