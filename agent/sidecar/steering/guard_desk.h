#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/report/agent_log.h"
#include "foretell/agent/sidecar/report/audit_log.h"
#include "foretell/agent/sidecar/steering/guard_book.h"
#include "foretell/model/service.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/snapshot/rpc/client.h"

namespace foretell::agent {

// Answers the nodes of guarded invariants (GuardBook) and keeps the books on it. Nodes wait for
// these answers: they come on the client's own thread, whatever the rounds are doing. Thread-safe.
class GuardDesk final : public snapshot::NodeGuardian {
 public:
  struct Parts {
    const model::Service& service;
    const Config& config;
    AgentLog& log;
    AuditLog* audit = nullptr;  // Null: the user wants none. One that fails means no refusals.
    std::string decision_prefix;
  };
  // All parts outlive the desk.
  explicit GuardDesk(Parts parts);

  // What nodes are to be asked for; without invariants if none is guarded.
  const snapshot::GuardTerms& terms() const { return terms_; }

  struct Status {
    std::vector<std::string> not_guarded;  // By node: why not; empty: it is guarded.
    uint64_t granted = 0;
    uint64_t refused = 0;
    uint64_t lost = 0;  // Nodes that were guarded, and were not any more, so often.
  };
  Status status() const;

  void Joining(model::NodeId node) override;
  void Joined(model::NodeId node, const snapshot::GuardJoined& joined) override;
  void Lost(model::NodeId node, const std::string& why) override;
  void Ask(model::NodeId node, const snapshot::GuardStep& step,
           std::function<void(snapshot::GuardAnswer)> answer) override;
  void Settled(model::NodeId node, const snapshot::GuardSettled& settled) override;
  void Overdue(model::NodeId node, uint64_t step) override;

 private:
  using Reply = std::function<void(snapshot::GuardAnswer)>;
  // Refusals go into the audit log first; then all are sent.
  void Send(const GuardBook::Decisions& decisions) ABSL_LOCKS_EXCLUDED(mutex_);
  bool Audit(const GuardBook::Decision& refusal) ABSL_LOCKS_EXCLUDED(mutex_);
  // What is broken although it is guarded, or was when the guard began; once until it changes.
  std::vector<std::string> TellBroken() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Parts parts_;
  std::vector<size_t> invariants_;
  snapshot::GuardTerms terms_;
  mutable model::Mutex mutex_;
  GuardBook book_ ABSL_GUARDED_BY(mutex_);
  std::map<std::pair<model::NodeId, uint64_t>, Reply> waiting_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> not_guarded_ ABSL_GUARDED_BY(mutex_);       // By node; empty: it is.
  std::vector<std::vector<uint32_t>> broken_ ABSL_GUARDED_BY(mutex_);  // As told, by invariant.
  uint64_t lost_ ABSL_GUARDED_BY(mutex_) = 0;
  // The audit log has failed: nothing is refused any more.
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace foretell::agent
