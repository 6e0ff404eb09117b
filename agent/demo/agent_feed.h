#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "absl/status/status.h"
#include "foretell/agent/demo/child_process.h"
#include "foretell/agent/demo/cluster.h"

namespace foretell::agent {

// The sections [rounds] and [veto] for an agent that a run waits for: a round begins when the run
// asks for it, its search ends after `steps_max` steps, and no limit on time decides anything.
// `more` are further keys of [rounds].
std::string PatientPace(uint64_t steps_max, const std::string& more = "");
// Enough of them for Paxos and 1Paxos: what is wrong is found some calls before it happens.
inline constexpr uint64_t kPaxosSteps = 1'000'000;

// The events of the agent of a run, one after the other.
class AgentFeed {
 public:
  using OnEvent = std::function<void(const std::string& name, const nlohmann::json& event)>;
  // Starts an agent of `cluster`, which outlives the feed, with this configuration.
  static absl::StatusOr<std::unique_ptr<AgentFeed>> Start(Cluster& cluster,
                                                          const std::string& config,
                                                          OnEvent on_event);

  // Asks for a round and reads what the agent says until it has seen, judged and, where it may,
  // steered the nodes as they are when this is called: a round has ended whose cut was taken after,
  // and its vetoes are in force at all nodes. Returns early if `stop`, which may be empty, says so.
  absl::Status AwaitRound(const std::function<bool()>& stop = nullptr);
  // Ends the agent. Fails if it does not end well.
  absl::Status End();

 private:
  AgentFeed(Cluster& cluster, OnEvent on_event)
      : cluster_(cluster), on_event_(std::move(on_event)) {}
  struct Round {
    uint64_t snapshot = 0;  // 0: it was no round.
    uint64_t hints = 0;     // That had come before it began, since the agent started.
    bool whole = false;     // All nodes that run have answered and taken what it led to.
  };
  Round OnLine(const std::string& line);

  Cluster& cluster_;
  OnEvent on_event_;
  std::unique_ptr<ChildProcess> process_;
  uint64_t hints_ = 0;  // That rounds have answered so far.
};

}  // namespace foretell::agent
