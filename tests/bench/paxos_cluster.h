#pragma once

// A live Paxos cluster under load, in this process and on real sockets.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/integration/sdk/host.h"
#include "foretell/model/family.h"

namespace foretell::bench {

// The application at node 0: keeps some indexes under way at once, so that nobody waits for the
// next proposal, and proposes again when it sees that one is decided, without asking. Lives on the
// node's own thread.
class Proposer {
 public:
  explicit Proposer(uint32_t outstanding) : outstanding_(outstanding) {}
  void Start(integration::sdk::Host& host);
  void Stop() { stopped_ = true; }  // What is under way is decided; nothing new is proposed.
  // Node 0 has handled `event`.
  void OnHandled(const model::Event& event);
  // If nothing was decided since it was last called, then all that was under way is lost.
  void Kick();
  uint64_t decided() const { return decided_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kSlots = 32;  // Older instances are forgotten by the protocol.
  struct Slot {
    uint32_t index = UINT32_MAX;
    uint32_t learns = 0;
  };
  void Propose();

  const uint32_t outstanding_;
  integration::sdk::Host* host_ = nullptr;
  std::array<Slot, kSlots> slots_;
  uint32_t next_ = 0;
  uint32_t under_way_ = 0;
  bool stopped_ = false;
  std::atomic<uint64_t> decided_ = 0;
  uint64_t decided_at_kick_ = 0;
};

class PaxosCluster {
 public:
  struct Spent {
    uint64_t decided = 0;
    uint64_t events = 0;       // Handled by all nodes.
    double cpu_seconds = 0;    // Of the whole process: nodes, their servers, the agent.
    double nodes_seconds = 0;  // Of the nodes' own threads.
    double wall_seconds = 0;
  };

  // Three idle nodes, with sockets for agents in `directory`.
  static absl::StatusOr<std::unique_ptr<PaxosCluster>> Start(const model::System& system,
                                                             bool checkpoints, uint32_t outstanding,
                                                             const std::string& directory);
  ~PaxosCluster();

  Spent Count();  // Since the start.
  // The application begins, or goes on, to propose.
  void Load();
  // Returns when it proposes no more.
  void Unload();
  void Kick();
  integration::sdk::Host& host(size_t node) { return *hosts_[node]; }

 private:
  explicit PaxosCluster(const model::System& system, uint32_t outstanding);
  void Run();

  std::unique_ptr<Proposer> proposer_;
  std::unique_ptr<model::Service> service_;
  std::vector<std::unique_ptr<integration::sdk::Host>> hosts_;
  std::vector<std::thread> threads_;
};

}  // namespace foretell::bench
