#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/demo/child_process.h"
#include "foretell/agent/demo/node_client.h"

namespace foretell::agent {

// Settings for the nodes of a service that are started as real processes on this machine.
struct ClusterOptions {
  std::string program;  // Of foretell.
  std::string folder;   // For sockets and logs; exists.
  std::string service;
  std::string scenario;  // Empty: the live one.
  std::string bug;
  size_t node_count = 3;
  uint64_t seed = 1;
  std::vector<std::string> node_flags;  // Faults and the like, for every node.
  bool store = false;                   // State survives a crash.
  bool agent_tcp = false;               // Agents come over TCP instead of unix sockets.
  bool stepped = false;                 // Time passes by a ClusterClock alone.
};

// Three processes and the way to talk to them. They end with this object.
class Cluster {
 public:
  // All nodes are up and know each other when this returns.
  static absl::StatusOr<std::unique_ptr<Cluster>> Start(ClusterOptions options);

  size_t size() const { return nodes_.size(); }
  // One line to the client port of a node, one line back.
  absl::StatusOr<std::string> Ask(size_t node, const std::string& line);
  // Like Ask, for answers of several lines that end with one that is a single dot.
  absl::StatusOr<std::vector<std::string>> AskAll(size_t node, const std::string& line);
  const std::string& agent_address(size_t node) const { return nodes_[node].agent; }

  ChildProcess& process(size_t node) { return *nodes_[node].process; }
  size_t running();  // The number of nodes that have not ended.
  // Starts a node again that has ended.
  absl::Status Restart(size_t node);

  // Lets a node that runs tell its agent that there is something to be seen. True iff one listens.
  bool Hint();
  // A counter of `stats`, over all nodes that run: its sum, its highest value.
  absl::StatusOr<uint64_t> Total(const std::string& counter);
  absl::StatusOr<uint64_t> Highest(const std::string& counter);

  // A configuration for an agent that watches all nodes; `more` is appended.
  std::string AgentConfig(const std::string& more) const;
  // An agent with that configuration, whose events come to us. Its log is agent.log in the folder.
  absl::StatusOr<std::unique_ptr<ChildProcess>> StartAgent(const std::string& more) const;
  std::string agent_log() const { return options_.folder + "/agent.log"; }

 private:
  struct Node {
    std::unique_ptr<ChildProcess> process;
    std::string listen;
    ClientAddress client;
    std::string agent;  // Where it listens for agents.
  };
  explicit Cluster(ClusterOptions options) : options_(std::move(options)) {}
  absl::Status Launch(size_t node, const std::string& listen);
  absl::Status Introduce(size_t node);
  absl::StatusOr<std::vector<uint64_t>> Counters(const std::string& counter);

  ClusterOptions options_;
  std::vector<Node> nodes_;
};

}  // namespace foretell::agent
