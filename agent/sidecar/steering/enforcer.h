#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/report/agent_log.h"
#include "foretell/agent/sidecar/report/audit_log.h"
#include "foretell/agent/sidecar/report/reporter.h"
#include "foretell/agent/sidecar/steering/veto_desk.h"
#include "foretell/agent/telemetry/telemetry.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/recorded.h"
#include "foretell/snapshot/rpc/client.h"

namespace foretell::agent {

// Everything that changes what nodes do, in one place, under one lock: vetoes and safety cuts go
// out here, are audited here, and are taken back here when the kill switch is thrown. Thread-safe.
//
// Under the lock there is nothing that can take long: messages to nodes have a short deadline, and
// the books (audit log, journal, telemetry) are kept without it. So whatever a disk or a terminal
// does, the kill switch reaches the nodes.
class Enforcer {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Parts {
    const model::Service& service;
    const Config& config;
    snapshot::RpcClient& client;
    Telemetry& telemetry;
    Journal& journal;
    AuditLog* audit = nullptr;  // Null: the user wants none. One that fails means no vetoes.
    std::function<Time()> now;
    std::string decision_prefix;
  };
  // All parts outlive the enforcer.
  explicit Enforcer(Parts parts);

  // For the nodes' immediate check. Nothing goes out if no invariant is shadowed or enforced.
  void HandOutCut(const snapshot::RecordedSnapshot& snapshot);
  // Puts the plans of this round in force. `conclusive`: the round covered all that it imagined.
  // Returns the decision that each finding led to; empty for those that led to none.
  std::vector<std::string> Steer(const snapshot::RecordedSnapshot& snapshot,
                                 const std::vector<Reporter::Finding>& findings, bool conclusive);
  // Closes the books on vetoes whose lease is over. For every round, whatever comes of it.
  void Expire();
  // With a reason: takes all back now and does nothing any more. Empty: goes on.
  void Kill(const std::string& reason);
  // Takes all back, because the agent ends.
  void Stop();

  std::vector<VetoDesk::Veto> vetoes() const;
  std::string killed() const;
  // Whether `node` has acknowledged the cut and the vetoes of the last round. True where there is
  // nothing to acknowledge, because no invariant is shadowed or enforced.
  bool in_force(model::NodeId node) const;
  bool active() const { return !modes_.empty(); }  // Some invariant is shadowed or enforced.
  uint64_t applied(const std::string& invariant) const;

 private:
  // What a round is remembered by in the audit log; null outside of rounds.
  struct Context {
    const snapshot::RecordedSnapshot* snapshot = nullptr;
    const std::vector<Reporter::Finding>* findings = nullptr;
    std::string why;
  };
  // REQUIRES of these three: mutex_ is held.
  std::vector<VetoDesk::Change> TakeBack();
  bool Send();  // Whether all nodes have taken what is in force.
  bool SendCut(const snapshot::SafetyCut& cut);

  // REQUIRES of these five: mutex_ is not held.
  void Say();
  // Findings that nothing can be done about are decisions too; once, until they change.
  void RecordNoPlan(const std::vector<Reporter::Finding>& findings, const Context& context);
  // False if the audit log did not take all of it.
  bool Record(const std::vector<VetoDesk::Change>& changes, const Context& context);
  bool RecordOne(const VetoDesk::Change& change, const Context& context);
  bool Audit(const AuditEntry& entry);

  Parts parts_;
  std::map<std::string, snapshot::Mode> modes_;  // Of the shadowed and enforced invariants.
  std::chrono::milliseconds timeout_;
  mutable std::mutex mutex_;
  VetoDesk desk_;
  std::string killed_;
  Time next_cut_{};              // When the next cut may go out.
  std::vector<bool> cut_taken_;  // By node, in the last round.
  std::vector<bool> vetoes_taken_;
  Time owed_until_{};                     // After a kill: some node may still obey us until then.
  std::vector<std::string> silent_told_;  // By node: why it did not take its filters.
  std::set<std::string> no_plan_;         // What the last round found no plan for.
  std::vector<std::string> unsaid_;       // Lines for the journal.
  std::map<std::string, uint64_t> applied_;
};

}  // namespace foretell::agent
