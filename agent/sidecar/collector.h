#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/telemetry/signals/record.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/cut_assembly.h"
#include "foretell/snapshot/protocol/recorded.h"
#include "foretell/snapshot/rpc/client.h"

namespace foretell::agent {

// The yield of one attempt at a snapshot.
struct Collected {
  uint64_t number = 0;
  std::vector<NodeRecord> nodes;
  std::vector<std::string> reasons;  // By node: why it is absent; empty if it is not.
  std::vector<bool> reborn;          // By node: in another life than when it answered last.
  uint64_t bytes = 0;                // On the wire.
  absl::StatusOr<snapshot::Snapshot> snapshot = absl::UnavailableError("not collected");
};

// Asks all nodes for the next checkpoint and puts the answers together. A node that does not
// answer in time, answers nonsense, or does not say that it runs what we check, is left out and
// named; the others are used all the same.
class Collector {
 public:
  // All outlive the collector.
  Collector(const model::Service& service, const snapshot::Origin& origin,
            snapshot::RpcClient& client, std::chrono::milliseconds timeout)
      : service_(service), origin_(origin), client_(client), timeout_(timeout) {}

  // Asks the nodes again who they are; to be called now and then, since they may be restarted as
  // something else.
  void RefreshIdentities();
  Collected Collect();

 private:
  Collected Ask();
  // Empty if the node runs what we check.
  std::string MismatchReason(const snapshot::NodeInfo& info) const;
  // Why a node cannot be used; the text is empty if it can.
  struct Reason {
    std::string text;
    NodeAnswer answer = NodeAnswer::kOk;
  };
  Reason Validate(size_t n, uint64_t number, const snapshot::Checkpoint& checkpoint);

  const model::Service& service_;
  const snapshot::Origin& origin_;
  snapshot::RpcClient& client_;
  std::chrono::milliseconds timeout_;
  uint64_t highest_ = 0;  // Checkpoint number seen anywhere.
  struct Identity {
    bool known = false;    // It has said who it is, in the life below or a later one.
    std::string mismatch;  // Why it cannot be used; empty if it can.
    uint64_t life = 0;     // Of its last checkpoint; 0 if there was none.
  };
  std::vector<Identity> identities_;  // By node.
  std::vector<bool> reborn_;          // Of this attempt.
};

}  // namespace foretell::agent
