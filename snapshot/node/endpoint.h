#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/snapshot/node/agent.h"
#include "foretell/snapshot/node/filter.h"
#include "foretell/snapshot/node/guard.h"
#include "foretell/snapshot/node/info.h"

namespace foretell::snapshot {

struct Checkpoint;

// The requests that an agent can make of a node. The live host implements it; snapshot/rpc/server.h
// puts it on a socket. Every call may come from another thread than the node's own: the
// implementation hands the work over and calls `done` exactly once, from any thread, or drops
// `done` if it is shutting down.
class NodeEndpoint {
 public:
  virtual ~NodeEndpoint() = default;
  virtual NodeInfo Info() const = 0;  // Thread-safe, at once.
  using CheckpointDone = std::function<void(absl::StatusOr<std::shared_ptr<const Checkpoint>>)>;
  virtual void RequestCheckpoint(uint64_t number, CheckpointDone done) = 0;
  // `session` is that of one agent, and of no other. Agents that do not say who they are count as
  // one.
  virtual void Introduce(uint64_t session, AgentIdentity agent,
                         std::function<void(absl::Status)> done);
  // Replaces the filters of that agent; an empty list removes them. Those of others stay: the
  // strongest counts.
  virtual void SetFilters(uint64_t session, std::vector<Filter> filters,
                          std::function<void(absl::Status)> done) = 0;
  // The same for its cut.
  virtual void SetSafetyCut(uint64_t session, SafetyCut cut,
                            std::function<void(absl::Status)> done) = 0;
  // What an earlier life of the agent has left behind is its own from now on, each filter with the
  // lease that is left; the cut of that life ends. NotFound: there is nothing. FailedPrecondition:
  // that life is still connected, or was another agent's.
  using AdoptDone = std::function<void(absl::StatusOr<std::vector<Filter>>)>;
  virtual void Adopt(uint64_t session, std::string life, AdoptDone done);
  virtual void Counters(std::function<void(NodeCounters)> done) = 0;
  // `changed` is called, from any thread and not more often than every few milliseconds, after
  // what an invariant sees of this node has changed: a good moment for a snapshot. Empty: nobody
  // listens any more.
  virtual void OnInteresting(std::function<void()> changed) = 0;

  // Mode `guard`: from now on the agent behind `channel` is asked before what its invariants see of
  // this node changes. Unimplemented: this node cannot.
  using GuardDone = std::function<void(absl::StatusOr<GuardJoined>)>;
  virtual void Guard(uint64_t session, GuardTerms terms, GuardChannel channel, GuardDone done);
  virtual void AnswerGuard(uint64_t /*session*/, GuardAnswer /*answer*/) {}
  // The agent is gone. Its filters and its cut end with their leases.
  virtual void EndSession(uint64_t /*session*/) {}
};

inline void NodeEndpoint::Introduce(uint64_t, AgentIdentity,
                                    std::function<void(absl::Status)> done) {
  done(absl::UnimplementedError("this node does not know its agents"));
}

inline void NodeEndpoint::Adopt(uint64_t, std::string, AdoptDone done) {
  done(absl::UnimplementedError("this node does not know its agents"));
}

inline void NodeEndpoint::Guard(uint64_t, GuardTerms, GuardChannel, GuardDone done) {
  done(absl::UnimplementedError("this node cannot be guarded"));
}

}  // namespace foretell::snapshot
