#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/health/status_page.h"
#include "foretell/agent/sidecar/bell.h"
#include "foretell/agent/sidecar/collector.h"
#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/pacing.h"
#include "foretell/agent/sidecar/report/agent_log.h"
#include "foretell/agent/sidecar/report/alert.h"
#include "foretell/agent/sidecar/report/engine_faults.h"
#include "foretell/agent/sidecar/report/life_history.h"
#include "foretell/agent/sidecar/report/reporter.h"
#include "foretell/agent/sidecar/steering/enforcer.h"
#include "foretell/agent/sidecar/steering/fault_history.h"
#include "foretell/agent/sidecar/steering/guard_desk.h"
#include "foretell/agent/telemetry/telemetry.h"
#include "foretell/model/service.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/predictors/life_watch.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/rpc/client.h"

namespace foretell::agent {

// The parts of a sidecar; all outlive it.
struct SidecarParts {
  const model::Service& service;
  const snapshot::Origin& origin;
  const Config& config;
  snapshot::RpcClient& client;
  predictors::Portfolio& portfolio;
  predictors::LifeWatch& lives;
  Enforcer& enforcer;
  GuardDesk& guard;
  Bell& bell;
  Telemetry& telemetry;
  AgentLog& log;
  snapshot::ArchiveWriter* archive = nullptr;
  std::function<std::chrono::steady_clock::time_point()> now;
  std::function<UnixTime()> wall_now;
  bool has_judge = false;  // See ResolvedConfig.
};

// Rounds: collect, archive, predict, report, steer. Nothing that fails in one of them stops the
// next round, and nothing here can stop the nodes.
class Sidecar {
 public:
  explicit Sidecar(SidecarParts parts);

  // One round after the other until `stop` says so.
  void Run(const std::function<bool()>& stop);
  void RunRound();

  uint64_t rounds() const { return rounds_.load(); }
  // Thread-safe, all four.
  StatusPage status() const;
  absl::Status going() const;       // Fails if rounds have stopped.
  absl::Status collecting() const;  // Why the last round had no snapshot.
  absl::Status archiving() const;   // Why the last snapshot was not archived.

 private:
  using Time = std::chrono::steady_clock::time_point;
  void WaitForNext(const std::function<bool()>& stop);
  absl::StatusOr<snapshot::RecordedSnapshot> TakeSnapshot(RoundRecord& record);
  void Archive(const snapshot::RecordedSnapshot& snapshot);
  model::Budget MakeBudget() const;  // For a search that begins now.
  void Work(const snapshot::RecordedSnapshot& snapshot, RoundRecord& record);
  // The liveness predicates in the cut itself, and from what is imagined (lives.cc).
  void JudgeLives(const snapshot::RecordedSnapshot& snapshot, RoundRecord& record);
  void LookAhead(const snapshot::RecordedSnapshot& snapshot, predictors::Prediction& prediction);
  void RecordLives(RoundRecord& record) const;
  // True iff no veto in force is for a predicate that was not looked at to the end.
  bool LivesConclusive() const;
  // The forecast that `predicted` is the death of; null if it is of no liveness predicate.
  const predictors::LifeForecast* ForecastOf(const predictors::Predicted& predicted) const;
  // One alert per predicted violation, with the vetoes planned against it, if any.
  std::vector<Alert> PlanVetoes(const predictors::Prediction& prediction);
  predictors::SteeringOptions SteeringNow() const;
  void LogAbsence(const Collected& collected);
  void LogRejection(const Collected& collected, const std::string& text);
  void LogRound(const snapshot::RecordedSnapshot& snapshot, const RoundRecord& record);
  void ReadCounters();
  std::optional<uint64_t> HitsOf(const snapshot::Filter& filter) const;
  void AddAgents(StatusPage& page) const;
  void Publish(const RoundRecord& record, const absl::Status& collecting);
  Timing Since(Time begin) const;

  SidecarParts parts_;
  Collector collector_;
  Reporter reporter_;
  EngineFaults faults_;
  LifeHistory history_;
  std::vector<predictors::LifeForecast> forecasts_;  // Of this round.
  Pacing pacing_;
  Time round_began_{};
  Time by_the_clock_{};  // When the last round that no hint started began.
  std::chrono::nanoseconds cpu_seen_{0};
  struct Absence {
    std::optional<NodeAnswer> answer;  // None if the node is there.
    std::string reason;
  };
  std::vector<Absence> absent_;  // By node, in the last round.
  FaultHistory failures_;
  // The fault of a snapshot, and the answers of its nodes.
  using Rejection = std::pair<SnapshotFault, std::vector<NodeAnswer>>;
  std::optional<Rejection> rejection_;  // Of the last snapshot; none if it did not fail.
  std::vector<uint64_t> checkpoints_;   // By node, as far as known.
  std::vector<std::optional<double>> overheads_;
  // Of filters, by node and decision, as far as known.
  std::map<std::pair<model::NodeId, std::string>, uint64_t> hits_;

  uint64_t answered_ = 0;  // Rings of the bell before the last round began.

  std::atomic<uint64_t> rounds_ = 0;
  std::atomic<Time> last_ended_;
  mutable model::Mutex status_mutex_;
  StatusPage status_ ABSL_GUARDED_BY(status_mutex_);
  absl::Status collecting_ ABSL_GUARDED_BY(status_mutex_) = absl::UnavailableError("no round yet");
  absl::Status archiving_ ABSL_GUARDED_BY(status_mutex_);
};

}  // namespace foretell::agent
