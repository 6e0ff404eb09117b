#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/demo/cluster.h"
#include "foretell/agent/demo/workload.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// One run of a cluster with an agent beside it, all of them real processes, under a workload. Who
// is first, the cluster or its agent, is not left to the machine: the next call is made after the
// agent has seen what came of the last one. Time is the cluster's own, see ClusterClock.
struct DemoRunOptions {
  ClusterOptions cluster;
  Workload::Options workload;
  std::string agent_config;      // Beyond service and nodes.
  uint32_t calls_max = 200;      // The run ends after so many,
  bool until_violation = false;  // or as soon as an invariant is violated.
  // Judges by what the nodes themselves say, whatever the agent thinks. Outlives the run.
  const model::Service* judge = nullptr;
};

// A prediction, as far as it was seen.
struct SeenPrediction {
  uint32_t call = 0;  // After so many calls.
  uint32_t steps_away = 0;
  uint64_t latency_millis = 0;  // From asking for the cut to the alert.
  std::string invariant;
  std::string imagined;  // The acts of the application.
  std::string text;
  std::string plan;
  std::string bundle;
};

// The nodes as they were in a round.
struct LiveView {
  uint64_t rounds = 0;
  uint32_t calls = 0;
  uint64_t in_flight = 0;
  uint64_t vetoes = 0;             // In force.
  std::vector<uint64_t> progress;  // By node: how much it has decided.
};

struct DemoRunResult {
  uint32_t calls = 0;
  uint32_t refused = 0;
  std::vector<SeenPrediction> predicted;   // In the order in which they came.
  std::optional<SeenPrediction> violated;  // The live system broke an invariant, as the nodes say.
  LiveView last;
  uint64_t vetoed = 0;            // Events that nodes did not let happen: filters,
  uint64_t immediate_vetoed = 0;  // and the part of it that their own check stopped.
};

// What is broken, as the nodes themselves say, by invariant and nodes; nothing if nothing is. Looks
// at invariants of pairs; a node that does not answer has nothing to say.
struct BrokenPair {
  std::string invariant;
  std::vector<uint32_t> nodes;
};
std::optional<BrokenPair> FindBrokenPair(Cluster& cluster, const model::Service& service);

class DemoRun {
 public:
  // Called while it runs. May be empty.
  struct Watcher {
    std::function<void(const LiveView&)> live;
    std::function<void(const SeenPrediction&)> predicted;
    std::function<void(const std::string& filter)> vetoed;  // In words.
    std::function<void(const Workload::Call&)> called;
    std::function<bool()> stop;
  };

  // Starts the nodes.
  static absl::StatusOr<std::unique_ptr<DemoRun>> Start(DemoRunOptions options);
  // Runs to the end. Fails if a process dies that should not.
  absl::StatusOr<DemoRunResult> Run(const Watcher& watcher);

 private:
  explicit DemoRun(DemoRunOptions options)
      : options_(std::move(options)), workload_(options_.workload) {}
  void OnAgentEvent(const std::string& name, const nlohmann::json& event, const Watcher& watcher);
  absl::Status CountVetoes();
  // Compares what the invariants see of the nodes, asked at their client ports.
  void Judge();

  DemoRunOptions options_;
  Workload workload_;
  std::unique_ptr<Cluster> cluster_;
  DemoRunResult result_;
};

}  // namespace foretell::agent
