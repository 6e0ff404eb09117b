#pragma once

// A cluster with agents that guard it, in memory and by seed: the nodes' own code
// (integration/sdk/node/core.h) and the agents' (GuardBook), with a network, links and a clock that
// the seed moves. Whatever can go wrong does: messages are lost, doubled and late, nodes crash
// before and after they have written, agents crash, hang and are cut off.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foretell/agent/sidecar/steering/guard_book.h"
#include "foretell/integration/sdk/node/core.h"
#include "foretell/integration/sdk/values/random.h"
#include "foretell/model/family.h"

namespace foretell::guarded {

using integration::sdk::Core;
using integration::sdk::Time;

// How bad it gets. Percent are of one step of the simulation.
struct Weather {
  uint32_t agents = 1;
  bool faults = false;                        // Crashes of nodes, losses, duplicates.
  bool agent_faults = false;                  // Agents crash, hang, and are cut off.
  std::chrono::microseconds link_max{2'000};  // Of a message between a node and an agent.
  std::chrono::milliseconds hold{50};
};

class Cluster {
 public:
  // `system` outlives it. Guards every invariant that can be.
  Cluster(const model::System& system, const Weather& weather, uint64_t seed);
  ~Cluster();

  // One thing happens, and time passes.
  void Step();
  // Nothing goes wrong any more: steps until all agents guard all nodes, and nothing is under way.
  void Settle();

  struct Node {
    std::unique_ptr<Core> core;  // Null: crashed.
    integration::sdk::Stats stats;
    std::string survivor;  // What is on its disk.
    std::string mark;      // The same.
    uint64_t life = 1;
    bool failed = false;
    bool dirty = false;  // Something has happened since the last commit.
  };
  struct Agent {
    std::unique_ptr<agent::GuardBook> book;  // Null: crashed.
    bool hangs = false;
    std::vector<uint64_t> session;  // By node; 0: none. Those of an agent's life are its own.
  };

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Agent>& agents() const { return agents_; }
  const model::Service& service() const { return service_; }
  const std::vector<size_t>& guarded() const { return guarded_; }
  // What an invariant sees of a node now, be it up or down.
  std::optional<std::string> Project(size_t invariant, uint32_t node) const;
  integration::sdk::Stats Totals() const;
  std::vector<std::string> trace() const { return trace_; }

  // Told after each change, of the nodes' states or of who guards whom.
  struct Watcher {
    virtual ~Watcher() = default;
    virtual void Changed(uint32_t node) = 0;                    // Something happened at a node.
    virtual void Joined(uint32_t agent, uint32_t node) = 0;     // As the agent sees it.
    virtual void Uncovered(uint32_t agent, uint32_t node) = 0;  // As either sees it.
    virtual void Noticed(uint32_t agent, uint32_t node) = 0;    // That the node has crashed.
    virtual void Forced(uint32_t node) = 0;
  };
  void SetWatcher(Watcher* watcher) { watcher_ = watcher; }

 private:
  struct Packet {
    integration::sdk::EnvelopeKind kind;
    model::NodeId from{0};
    model::NodeId to{0};
    snapshot::Stamp stamp;
    std::string body;
  };
  // One direction of a connection: in order, each with its time.
  struct Timed {
    Time due;
    std::function<void()> arrive;
  };

  bool Percent(uint32_t percent) { return random_.Next() % 100 < percent; }
  uint32_t Pick(size_t count) { return static_cast<uint32_t>(random_.Next() % count); }
  void Post(std::deque<Timed>& link, std::function<void()> arrive);
  void Advance();
  void Boot(uint32_t node, const std::string& state);
  void Crash(uint32_t node);
  void Revive(uint32_t node);
  void StartAgent(uint32_t agent);
  void StopAgent(uint32_t agent);
  // Ends a connection: each side hears of it in its own time, what is under way is lost.
  void Cut(uint32_t agent, uint32_t node);
  void Join(uint32_t agent, uint32_t node);
  void Tell(uint32_t agent, const agent::GuardBook::Decisions& decisions);
  void EndSession(uint32_t agent, uint32_t node, uint64_t session);
  // The end of a turn: what happened is durable, and what was said leaves.
  void Commit(uint32_t node);
  void Took(uint32_t node);  // After each input.
  void Act(uint32_t node);
  void Receive();
  void Fault();
  void AgentFault();
  void Note(std::string line);

  const model::Service& service_;
  const Weather weather_;
  integration::sdk::Random random_;
  const bool streams_;
  std::vector<size_t> guarded_;
  std::vector<std::string> names_;
  Time now_{};
  std::vector<Node> nodes_;
  std::vector<Agent> agents_;
  std::map<uint64_t, std::pair<uint32_t, uint32_t>> sessions_;  // Live ones: agent and node.
  std::map<uint64_t, std::deque<Timed>> up_;                    // By session, from the node.
  std::map<uint64_t, std::deque<Timed>> down_;                  // By session, to the node.
  std::vector<Timed> timers_;
  std::vector<Packet> network_;
  uint64_t last_session_ = 0;
  bool calm_ = false;
  Watcher* watcher_ = nullptr;
  std::vector<std::string> trace_;
};

}  // namespace foretell::guarded
