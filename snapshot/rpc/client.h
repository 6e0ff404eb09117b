#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/snapshot/node/address.h"
#include "foretell/snapshot/node/agent.h"
#include "foretell/snapshot/node/guard.h"
#include "foretell/snapshot/node/info.h"
#include "foretell/snapshot/node/limits.h"
#include "foretell/snapshot/protocol/checkpoint.h"

namespace foretell::snapshot {

// A node as its agent reaches it.
struct NodeAddress {
  model::NodeId node{0};
  Address address;
};

// The answer of one node.
struct CheckpointReply {
  absl::StatusOr<std::shared_ptr<const Checkpoint>> checkpoint;
  std::chrono::nanoseconds duration{0};
  uint64_t bytes = 0;      // On the wire, compressed.
  bool unchanged = false;  // Answered with a note.
};

// The agent's half of mode `guard`. Called on the client's own thread; must not block for long.
class NodeGuardian {
 public:
  virtual ~NodeGuardian() = default;
  // The node is asked to let itself be guarded; it then joins, or is lost.
  virtual void Joining(model::NodeId node) = 0;
  virtual void Joined(model::NodeId node, const GuardJoined& joined) = 0;
  virtual void Lost(model::NodeId node, const std::string& why) = 0;
  // `answer` is called once, on this thread, now or later.
  virtual void Ask(model::NodeId node, const GuardStep& step,
                   std::function<void(GuardAnswer)> answer) = 0;
  virtual void Settled(model::NodeId node, const GuardSettled& settled) = 0;
  // Half of the hold is over, and the step is not answered.
  virtual void Overdue(model::NodeId node, uint64_t step) = 0;
};

// The agent's connections to all nodes, on one thread and kj event loop of their own. Connects by
// itself, again and again, and never blocks longer than the timeout it is given: a dead, slow or
// hostile node only costs its own answer. Functions block; they may be called from several threads.
class RpcClient {
 public:
  struct Options {
    std::vector<NodeAddress> nodes;  // One per node, by rising id from 0.
    TlsFiles tls;
    RpcLimits limits;
    std::string agent = "foretell";  // Told to nodes.
    // Called on the client's own thread when a node says that something interesting happened.
    std::function<void(model::NodeId)> interesting;
    // Of SetGuard; outlives the client.
    NodeGuardian* guardian = nullptr;
    // Told to nodes, so that they keep what this agent wants apart from what others want. Without a
    // life they are not told.
    AgentIdentity identity = {};
  };
  using Timeout = std::chrono::milliseconds;

  static absl::StatusOr<std::unique_ptr<RpcClient>> Start(Options options);
  virtual ~RpcClient() = default;

  // Until the next call of this, all questions together wait for a silent node no longer than one
  // timeout: one that has let a question go unanswered still gets those that follow, and is not
  // waited for.
  virtual void StartRound() {}

  // Asks all nodes for checkpoint `number` at once. One reply per node: Unavailable (cannot be
  // reached), Unauthenticated (its certificate is not good enough), DeadlineExceeded, NotFound
  // (pruned), ResourceExhausted (bandwidth cap, or a reply beyond the limits), InvalidArgument
  // (garbage), FailedPrecondition (another protocol version or another node; names both).
  virtual std::vector<CheckpointReply> Collect(uint64_t number, Timeout timeout) = 0;
  virtual std::vector<absl::StatusOr<NodeInfo>> Infos(Timeout timeout) = 0;
  virtual std::vector<absl::StatusOr<NodeCounters>> Counters(Timeout timeout) = 0;
  // filters[i] is the whole set for node i, as far as this agent is concerned.
  virtual std::vector<absl::Status> SetFilters(const std::vector<std::vector<Filter>>& filters,
                                               Timeout timeout) = 0;
  virtual std::vector<absl::Status> SetSafetyCut(const SafetyCut& cut, Timeout timeout) = 0;
  // Takes over what earlier lives of this agent have left behind (NodeEndpoint::Adopt): lives[i] at
  // node i, none if it is empty.
  using Adopted = absl::StatusOr<std::vector<Filter>>;
  virtual std::vector<Adopted> Adopt(const std::vector<std::string>& /*lives*/, Timeout) {
    return {};
  }
  // The modes are others now. Does not wait for the nodes, and tells those that come back.
  virtual void Introduce(const std::map<std::string, Mode>& /*modes*/) {}
  // Keeps all nodes guarded from now on, those that come back and those that were lost included;
  // terms without invariants: no longer. Does not wait for them.
  virtual void SetGuard(const GuardTerms& /*terms*/) {}
};

}  // namespace foretell::snapshot
