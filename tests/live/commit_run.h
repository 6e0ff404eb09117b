#pragma once

// Transactions of a live two-phase commit under an agent: real processes, and time that passes when
// the run says so.

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "foretell/agent/demo/agent_feed.h"
#include "foretell/agent/demo/cluster_clock.h"
#include "foretell/tests/live/live_agent.h"

namespace foretell::live {

// Of a search.
inline constexpr uint64_t kSteps = 100'000;
// The time that a transaction is given; messages may be delayed by a third of it.
inline constexpr std::chrono::milliseconds kTransaction{400};

// The whole file; empty if there is none.
std::string TextOf(const std::string& path);

struct CommitOptions {
  std::string bug;
  std::string delay;  // Of messages; empty: none.
};

// A coordinator, node 0, and three participants.
struct CommitCluster {
  explicit CommitCluster(const CommitOptions& options);

  // Begins a transaction; what the coordinator answers.
  std::string Begin();
  // By node: what became of transactions 1, 2, ...: "committed", "aborted", "open".
  std::vector<std::vector<std::string>> Fates();

  RunFolder folder;
  std::unique_ptr<agent::Cluster> nodes;
  std::unique_ptr<agent::ClusterClock> clock;
};

struct CommitResult {
  uint32_t committed = 0;  // Transactions that all nodes committed.
  uint32_t split = 0;      // Committed here and aborted there.
  uint64_t vetoed = 0;
  uint32_t predicted = 0;
  std::string audit;
};

// So many transactions, one after the other, each with 400 ms of time, under an agent that looks
// every 20 ms. `veto`: further keys of its section.
CommitResult RunTransactions(const CommitOptions& options, const std::string& mode,
                             uint32_t transactions, const std::string& veto = "");

}  // namespace foretell::live
