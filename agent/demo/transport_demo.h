#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/agent/demo/agent_feed.h"
#include "foretell/agent/demo/cluster.h"
#include "foretell/agent/demo/cluster_clock.h"

namespace foretell::agent {

// Small batches, one packet at a time, and a sender that gives up once: after that it is patient.
inline constexpr const char* kTransportScenario = "live,give-ups=1,messages=5,window=1";

// The stale SYN of MaceTransport, as section 5 of MaceMC tells it, acted out by two real processes:
// the SYN of a connection that the sender has given up arrives when the next one is open, and the
// receiver takes it for a new one. From then on nothing is ever delivered, although the
// network is well again. Time is the cluster's own and waits for the agent.
struct TransportDemoOptions {
  std::string program;  // Of foretell.
  std::string folder;   // For sockets and logs; exists.
  uint64_t seed = 1;
  std::string mode;                                   // Of the agent: "observe", "enforce".
  std::string agent_config;                           // Beyond service, nodes, rounds and modes.
  std::function<void(const std::string& line)> tell;  // May be empty.
};

struct TransportDemoResult {
  uint32_t submitted = 0;  // Batches that the application has handed over ...
  uint32_t delivered = 0;  // ... and those that are acknowledged, as the sender says.
  bool dead = false;       // The agent has proved that nothing will be any more.
  uint64_t vetoed = 0;     // Events that nodes did not let happen.
  // The first prediction, if it came before it was dead.
  struct Prediction {
    uint32_t steps_away = 0;
    std::string text;
    std::string bundle;
  };
  std::optional<Prediction> predicted;
  std::string dead_bundle;
};

class TransportDemo {
 public:
  static absl::StatusOr<TransportDemoResult> Run(TransportDemoOptions options);

 private:
  explicit TransportDemo(TransportDemoOptions options) : options_(std::move(options)) {}
  absl::Status StartAll();
  absl::Status Delay();     // The SYN of the first connection is under way for long.
  absl::Status GiveUp();    // The sender does, and opens another.
  absl::Status Overtake();  // Its SYN is there first, and the old one in the middle of it all.
  absl::Status Recover();   // The network is well again.
  absl::Status CountVetoes();

  absl::Status Submit();
  absl::Status Faults(size_t node, const std::string& words);
  void Tell(const std::string& line);
  void OnAgentEvent(const std::string& name, const nlohmann::json& event);
  // Lets time pass until `holds`, but no longer than `most`; the agent looks after every step.
  absl::StatusOr<bool> PassUntil(std::chrono::milliseconds most,
                                 const std::function<bool()>& holds);
  // A field of a node's state, as it says; empty if it does not.
  std::string Field(size_t node, const std::string& name);
  bool AllAcked();

  TransportDemoOptions options_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<ClusterClock> clock_;
  std::unique_ptr<AgentFeed> agent_;
  TransportDemoResult result_;
};

}  // namespace foretell::agent
