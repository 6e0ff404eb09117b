#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/demo/agent_feed.h"
#include "foretell/agent/demo/cluster.h"
#include "foretell/agent/demo/cluster_clock.h"
#include "foretell/agent/demo/kv_client.h"

namespace foretell::agent {

// The loss of an acknowledged write by libraft 0.15.0, acted out by three real processes: a leader
// is cut off with an entry that nobody else has; its successor hears from it at the wrong moment.
// Time is the cluster's own and waits for the agent, if there is one: see ClusterClock and
// AgentFeed.
struct RaftDemoOptions {
  std::string program;  // Of foretell.
  std::string folder;   // For sockets, stores and logs; exists.
  uint64_t seed = 1;
  std::string mode;          // Of the agent: "observe", "enforce", or empty: there is none.
  std::string off;           // An invariant that it does not look at.
  std::string agent_config;  // Beyond service, nodes, rounds and modes.
  std::function<void(const std::string& line)> tell;  // May be empty.
};

struct RaftDemoResult {
  bool acknowledged = false;  // The client was told that its write counts,
  bool lost = false;          // and yet it is gone.
  bool goes_on = false;       // The cluster took a write at the end.
  uint64_t vetoed = 0;        // Events that nodes did not let happen.
  // By invariant: the first prediction that came before the write was acknowledged.
  struct Prediction {
    uint32_t steps_away = 0;
    std::string imagined;
    std::string bundle;
  };
  std::map<std::string, Prediction> predicted;
};

class RaftDemo {
 public:
  static absl::StatusOr<RaftDemoResult> Run(RaftDemoOptions options);

 private:
  explicit RaftDemo(RaftDemoOptions options);
  absl::Status StartAll();
  absl::Status Elect();      // A first leader, and a write that everybody has.
  absl::Status LeaveTail();  // Cut off, it takes a write that nobody else gets.
  absl::Status Succeed();    // The others elect another leader.
  absl::Status Meet();       // The old leader answers the new one, slowly.
  absl::Status Write();      // The client writes meanwhile.
  absl::Status Recover();    // The new leader dies; what do the others have?

  absl::Status Faults(size_t node, const std::string& words);
  void Tell(const std::string& line);
  void OnAgentEvent(const std::string& name, const nlohmann::json& event);
  // Lets the agent, if there is one, see how things are.
  absl::Status LetLook();
  // Lets time pass until `holds`, but no longer than `most`; the agent looks at every heartbeat.
  absl::StatusOr<bool> PassUntil(std::chrono::milliseconds most,
                                 const std::function<bool()>& holds);
  // Until somebody leads in a later term than `term_`; then that is its term.
  absl::StatusOr<size_t> NextLeader();
  // True iff `node` acknowledges the put within `most`.
  absl::StatusOr<bool> Acknowledged(size_t node, const std::string& key, const std::string& value,
                                    std::chrono::milliseconds most);
  absl::Status CountVetoes();

  RaftDemoOptions options_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<ClusterClock> clock_;
  std::unique_ptr<AgentFeed> agent_;
  KvClient client_;
  size_t old_leader_ = 0;
  size_t new_leader_ = 0;
  size_t third_ = 0;
  uint64_t term_ = 0;  // Of the last leader.
  RaftDemoResult result_;
};

}  // namespace foretell::agent
