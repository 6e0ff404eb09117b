#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/report/agent_log.h"
#include "foretell/agent/sidecar/report/alert.h"
#include "foretell/agent/sidecar/report/audit_log.h"
#include "foretell/agent/sidecar/steering/company.h"
#include "foretell/agent/sidecar/steering/veto_desk.h"
#include "foretell/agent/sidecar/steering/veto_rate.h"
#include "foretell/agent/telemetry/telemetry.h"
#include "foretell/model/service.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/snapshot/protocol/recorded.h"
#include "foretell/snapshot/rpc/client.h"

namespace foretell::agent {

// Everything that changes what nodes do, in one place, under one lock: vetoes and safety cuts go
// out here, are audited here, and are taken back here when the kill switch is thrown. Thread-safe.
//
// Under the lock there is nothing that can take long: messages to nodes have a short deadline, and
// the books (audit log, log lines, telemetry) are kept without it. So whatever a disk or a terminal
// does, the kill switch reaches the nodes.
class Enforcer {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Parts {
    const model::Service& service;
    const Config& config;
    snapshot::RpcClient& client;
    Telemetry& telemetry;
    AgentLog& log;
    AuditLog* audit = nullptr;  // Null: the user wants none. One that fails means no vetoes.
    std::function<Time()> now;
    std::string decision_prefix;
    std::string agent_name = {};  // As AgentIdentity::name.
  };
  // All parts outlive the enforcer.
  explicit Enforcer(Parts parts);

  // Who else steers, by the counters of the nodes. What earlier lives of this agent have left
  // behind is taken over, or, if it may not veto that any more, left to end.
  void Meet(const std::vector<absl::StatusOr<snapshot::NodeCounters>>& counters);
  // For the nodes' immediate check. Nothing goes out if no invariant is shadowed or enforced.
  void HandOutCut(const snapshot::RecordedSnapshot& snapshot);
  // Puts the plans of this round in force. `conclusive`: the round covered all that it imagined.
  // One call at a time.
  // Returns the decision that each alert led to; empty for those that led to none.
  std::vector<std::string> Steer(const snapshot::RecordedSnapshot& snapshot,
                                 const std::vector<Alert>& alerts, bool conclusive);
  // Closes the books on vetoes whose lease is over. For every round, whatever comes of it.
  void Expire();
  // With a reason: takes all back now and does nothing any more. Empty: goes on.
  void Kill(const std::string& reason);
  // Takes all back, because the agent ends.
  void Stop();

  std::vector<VetoDesk::Veto> vetoes() const;
  std::string killed() const;
  std::vector<Company::Member> company() const;
  // Why nothing is enforced for the time being, and is shadowed instead; empty if that is not so.
  std::string fallen_back() const;
  // True iff `node` has acknowledged the cut and the vetoes of the last round, or there is nothing
  // to acknowledge, because no invariant is shadowed or enforced.
  bool in_force(model::NodeId node) const;
  bool active() const { return !modes_.empty(); }  // Some invariant is shadowed or enforced.
  uint64_t applied(const std::string& invariant) const;

 private:
  // The round that entries of the audit log belong to; null outside of rounds.
  struct Context {
    const snapshot::RecordedSnapshot* snapshot = nullptr;
    const std::vector<Alert>* alerts = nullptr;
    std::string why;
  };
  // The mode of filters and cuts for an invariant in `mode`.
  snapshot::Mode ModeNow(snapshot::Mode mode) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The filters of the plans, in the modes of now.
  std::vector<snapshot::Filter> Wanted(const std::vector<Alert>& alerts) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes note of what is about to be made. If that ends or begins a fall back, all vetoes are
  // taken back, to be made anew in the modes of now, and this says so.
  std::vector<VetoDesk::Change> Rate(std::vector<snapshot::Filter>& wanted,
                                     const std::vector<Alert>& alerts)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RecordFallBack(bool before) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<VetoDesk::Change> TakeBack() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // True iff all nodes have taken what is in force.
  bool Send() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool SendCut(const snapshot::SafetyCut& cut) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  std::vector<VetoDesk::Change> TakeOver() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Tells the nodes, and so the other agents, what this one may veto.
  void Introduce() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Once per agent, and when it does something else than before.
  void LogCompany() ABSL_LOCKS_EXCLUDED(mutex_);
  void FlushLog() ABSL_LOCKS_EXCLUDED(mutex_);
  // Alerts that nothing can be done about are decisions too; once, until they change.
  void RecordNoPlan(const std::vector<Alert>& alerts, const Context& context)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // False if the audit log did not take all of it.
  bool Record(const std::vector<VetoDesk::Change>& changes, const Context& context)
      ABSL_LOCKS_EXCLUDED(mutex_);
  bool RecordOne(const VetoDesk::Change& change, const Context& context)
      ABSL_LOCKS_EXCLUDED(mutex_);
  bool Audit(const AuditEntry& entry) ABSL_LOCKS_EXCLUDED(mutex_);

  Parts parts_;
  std::map<std::string, snapshot::Mode> modes_;  // Of the shadowed and enforced invariants.
  // The part of them that a node can check for itself: what must always hold.
  std::map<std::string, snapshot::Mode> immediate_;
  std::chrono::milliseconds timeout_;
  std::set<std::string> no_plan_;  // Alerts of the last round without a plan. For Steer only.
  mutable model::Mutex mutex_;
  VetoDesk desk_ ABSL_GUARDED_BY(mutex_);
  Company company_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> greeted_;  // Members of the company that were told. For Meet only.
  VetoRate rate_ ABSL_GUARDED_BY(mutex_);
  std::string killed_ ABSL_GUARDED_BY(mutex_);
  Time next_cut_ ABSL_GUARDED_BY(mutex_){};                 // When the next cut may go out.
  std::vector<bool> cut_taken_ ABSL_GUARDED_BY(mutex_);     // By node, in the last round.
  std::vector<bool> vetoes_taken_ ABSL_GUARDED_BY(mutex_);  // The same.
  // After a kill: some node may still obey us until then.
  Time retract_until_ ABSL_GUARDED_BY(mutex_){};
  // By node: why it did not take its filters.
  std::vector<std::string> last_filter_error_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> pending_log_ ABSL_GUARDED_BY(mutex_);  // Lines for the log.
  std::map<std::string, uint64_t> applied_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace foretell::agent
