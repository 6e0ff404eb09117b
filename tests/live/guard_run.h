#pragma once

// A live cluster in mode guard, by seed: real processes, and everything that can go wrong with
// nodes, their agent and the links between them. Nodes have clocks that the run moves, so that a
// hold ends because the run lets it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "foretell/agent/demo/cluster_clock.h"
#include "foretell/model/family.h"
#include "foretell/tests/live/link_relay.h"
#include "foretell/tests/live/live_agent.h"

namespace foretell::live {

struct GuardRunResult {
  std::vector<std::string> wrong;  // What must not be, for people.
  uint64_t judged = 0;             // Looks at the nodes while all of them were guarded.
  uint64_t asked = 0;
  uint64_t refused = 0;
  uint64_t expired = 0;
  uint64_t lapsed = 0;
  uint64_t excused = 0;   // Guards that ended although nothing was done to agent or link.
  bool violated = false;  // While no agent guarded.
};

class GuardRun {
 public:
  // `agents` false: the same faults of nodes, without an agent.
  GuardRun(uint64_t seed, bool agents);
  ~GuardRun();

  // So many things go wrong, one after the other, with calls in between.
  GuardRunResult Run(int faults);

 private:
  static constexpr size_t kNodes = 3;
  using Stats = std::map<std::string, uint64_t>;
  using Chosen = std::map<uint32_t, uint32_t>;  // Value by index.

  size_t Pick(size_t count) { return random_() % count; }
  void Wrong(const std::string& what);
  void StartAgent();
  // Until a round that began after this was called has seen all nodes, and all guarded.
  void AwaitGuard();
  // The agent does not answer any more. All that is held happens; then nothing is any more.
  void LetHoldsEnd();
  void Listen();
  std::string Call(size_t node);  // The answer.
  void Calls(int count);
  void Pass(std::chrono::milliseconds duration);

  void NodeFault();
  void KillNode(size_t node);
  void StopNode(size_t node);
  void Weather(size_t node);
  void AgentFault();
  void LinkFault(bool cut);
  // Without an agent that answers the cluster is as if there were none.
  void ExpectFailOpen();
  void ExpectOk(size_t node);

  // Compares what the invariant sees of the nodes, as they say themselves.
  void Judge();
  void Remember(size_t node, const Chosen& now);
  Stats StatsOf(size_t node);
  uint64_t Total(const std::string& counter);

  const uint64_t seed_;
  const bool agents_;
  std::mt19937_64 random_;
  LiveCluster cluster_;
  agent::ClusterClock clock_;
  std::vector<std::unique_ptr<LinkRelay>> links_;
  std::unique_ptr<LiveAgent> agent_;
  bool guarded_ = false;        // All nodes are, as far as the run knows.
  uint64_t lapses_ = 0;         // Of nodes, when that was last known.
  std::vector<Stats> earlier_;  // By node: of its former lives.
  std::vector<Chosen> seen_;    // By node: what it has said to be chosen.
  GuardRunResult result_;
};

}  // namespace foretell::live
