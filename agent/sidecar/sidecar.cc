#include "foretell/agent/sidecar/sidecar.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/sidecar/process.h"
#include "foretell/agent/sidecar/report/evidence.h"
#include "foretell/agent/telemetry/signals/metric_recorder.h"
#include "foretell/predictors/round_plan.h"

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;

SnapshotFault FaultOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kFailedPrecondition: return SnapshotFault::kInconsistent;
    case absl::StatusCode::kInvalidArgument: return SnapshotFault::kInvalid;
    case absl::StatusCode::kUnavailable: return SnapshotFault::kUnavailable;
    default: return SnapshotFault::kFailed;
  }
}

std::optional<model::Outcome> OutcomeOf(const predictors::EngineRun& run) {
  if (!run.status.ok()) return std::nullopt;
  return run.report.outcome;
}

std::vector<std::string> RejectedClaims(const predictors::EngineRun& run,
                                        const predictors::Prediction& prediction) {
  std::vector<std::string> claims;
  for (const predictors::RejectedClaim& claim : prediction.rejected) {
    if (claim.engine != run.engine || claim.space != run.space) continue;
    claims.push_back(Printable(absl::StrCat(claim.invariant, ": ", claim.reason), true));
  }
  return claims;
}

EngineRecord RecordOf(const predictors::EngineRun& run, const predictors::Prediction& prediction,
                      Timing predict) {
  const model::Stats& stats = run.report.stats;
  return {.engine = run.engine,
          .space = run.space < prediction.spaces.size() ? prediction.spaces[run.space].text : "",
          .timing = {.offset = predict.offset, .duration = run.duration},
          .outcome = OutcomeOf(run),
          .error = run.status.ok() ? "" : Printable(run.status.ToString(), true),
          .rejected = RejectedClaims(run, prediction),
          .complete = run.report.complete,
          .states = stats.global_states.value_or(stats.node_states.value_or(0)),
          .transitions = stats.transitions.value_or(0),
          .depth = stats.depth.value_or(0),
          .handler_executions = stats.handler_executions.value_or(0)};
}

// Only of runs with which something is wrong.
nlohmann::ordered_json FaultyRuns(const std::vector<EngineRecord>& engines) {
  auto faulty = nlohmann::ordered_json::array();
  for (const EngineRecord& run : engines) {
    const std::vector<std::string> faults = FaultsOf(run);
    if (faults.empty()) continue;
    faulty.push_back({{"engine", run.engine}, {"space", run.space}, {"faults", faults}});
  }
  return faulty;
}

nlohmann::ordered_json LivesToJson(const std::vector<LifeRecord>& lives) {
  auto json = nlohmann::ordered_json::array();
  for (const LifeRecord& life : lives) {
    json.push_back({{"property", life.property},
                    {"life", life.life},
                    {"text", life.text},
                    {"gap_seconds", std::chrono::duration<double>(life.gap).count()}});
  }
  return json;
}

std::chrono::system_clock::time_point WallTime(UnixTime time) {
  return std::chrono::time_point_cast<std::chrono::system_clock::duration>(time);
}

}  // namespace

Sidecar::Sidecar(SidecarParts parts)
    : parts_(std::move(parts)),
      collector_(parts_.service, parts_.origin, parts_.client, parts_.config.collect_timeout),
      reporter_(parts_.service, parts_.config, parts_.telemetry, parts_.log, parts_.wall_now,
                parts_.has_judge),
      faults_(parts_.log),
      pacing_({.period = parts_.config.period,
               .hint_gap = parts_.config.hint_gap,
               .budget = parts_.config.budget,
               .cpu_max = parts_.config.cpu_max,
               .threads = parts_.config.threads,
               .memory_max = parts_.config.memory_max}),
      cpu_seen_(ProcessCpuTime()),
      absent_(parts_.service.node_count()),
      failures_(parts_.service.node_count()),
      checkpoints_(parts_.service.node_count(), 0),
      overheads_(parts_.service.node_count()) {
  last_ended_ = parts_.now();
  status_.service = absl::StrCat(parts_.origin.service, ", ", parts_.origin.scenario);
  status_.version = kVersion;
  status_.started = WallTime(parts_.wall_now());
}

void Sidecar::Run(const std::function<bool()>& stop) {
  while (!stop()) {
    RunRound();
    WaitForNext(stop);
  }
}

void Sidecar::WaitForNext(const std::function<bool()>& stop) {
  while (!stop()) {
    const uint64_t rung = parts_.bell.rung();
    const Time due = std::min(pacing_.Next(rung > answered_), by_the_clock_ + parts_.config.period);
    const Time now = parts_.now();
    if (now >= due) break;
    // Signals cannot notify, so we look up now and then.
    parts_.bell.WaitUntil(rung, std::min(due, now + 50ms));
  }
}

Timing Sidecar::Since(Time begin) const {
  return {.offset = begin - round_began_, .duration = parts_.now() - begin};
}

void Sidecar::RunRound() {
  round_began_ = parts_.now();
  answered_ = parts_.bell.rung();
  pacing_.Started(round_began_);
  RoundRecord record{.number = rounds_.load() + 1, .start = WallTime(parts_.wall_now())};
  parts_.telemetry.RoundStarted(record.number, record.start);
  parts_.enforcer.Expire();
  parts_.client.StartRound();
  if (round_began_ >= by_the_clock_ + parts_.config.period) {
    by_the_clock_ = round_began_;
    collector_.RefreshIdentities();
    ReadCounters();
  }
  const auto snapshot = TakeSnapshot(record);
  if (snapshot.ok()) {
    Work(*snapshot, record);
  } else {
    record.outcome = RoundOutcome::kNoSnapshot;
    record.error = std::string(snapshot.status().message());
  }
  record.duration = parts_.now() - round_began_;
  record.fallen_back = parts_.enforcer.fallen_back();
  record.killed = !parts_.enforcer.killed().empty();
  record.filters = static_cast<uint32_t>(parts_.enforcer.vetoes().size());
  parts_.telemetry.Round(record);
  if (snapshot.ok()) LogRound(*snapshot, record);
  ++rounds_;
  last_ended_ = parts_.now();
  Publish(record, snapshot.status());
  const std::chrono::nanoseconds cpu = ProcessCpuTime();
  pacing_.Finished(parts_.now(), cpu - cpu_seen_);
  cpu_seen_ = cpu;
}

absl::StatusOr<snapshot::RecordedSnapshot> Sidecar::TakeSnapshot(RoundRecord& record) {
  const Time begin = parts_.now();
  const UnixTime taken = parts_.wall_now();
  Collected collected = collector_.Collect();
  record.collect = Since(begin);
  for (NodeRecord& node : collected.nodes) node.timing.offset = record.collect->offset;
  record.nodes = collected.nodes;
  LogAbsence(collected);
  if (!collected.snapshot.ok()) {
    const absl::Status& status = collected.snapshot.status();
    const std::string text = Printable(std::string(status.message()), true);
    parts_.telemetry.SnapshotRejected({collected.number, FaultOf(status), text});
    LogRejection(collected, text);
    return status;
  }
  if (std::exchange(rejection_, std::nullopt)) {
    parts_.log.Log(absl::StrCat("snapshot ", collected.number, " is good again"));
  }
  record.snapshot = {.bytes = collected.bytes,
                     .absent = static_cast<uint32_t>(collected.snapshot->absent.size()),
                     .exact = collected.snapshot->exact,
                     .notes = collected.snapshot->notes};
  return snapshot::RecordedSnapshot{*std::move(collected.snapshot), taken, parts_.origin};
}

// A node that goes, comes back, or is left out for another kind of reason is worth one line, not
// one per round.
void Sidecar::LogAbsence(const Collected& collected) {
  for (size_t n = 0; n < collected.reasons.size() && n < absent_.size(); ++n) {
    const std::string& reason = collected.reasons[n];
    std::optional<NodeAnswer> answer;
    if (!reason.empty()) answer = collected.nodes[n].answer;
    if (answer != absent_[n].answer) {
      parts_.log.Log(reason.empty()
                         ? absl::StrCat("node ", n, " is back")
                         : absl::StrCat("node ", n, " is left out: ", Printable(reason, true)));
    }
    absent_[n] = {answer, reason};
    const model::NodeId node(static_cast<uint32_t>(n));
    if (answer == NodeAnswer::kUnavailable) failures_.Gone(node, parts_.now());
    // A new life can be seen in an answer that is not used yet.
    const bool reborn = collected.reborn[n];
    if (!answer || reborn) failures_.Answered(node, reborn, parts_.now());
  }
}

// As above: the first of many that fail alike.
void Sidecar::LogRejection(const Collected& collected, const std::string& text) {
  Rejection rejection{FaultOf(collected.snapshot.status()), {}};
  for (const NodeRecord& node : collected.nodes) rejection.second.push_back(node.answer);
  if (rejection == std::exchange(rejection_, rejection)) return;
  parts_.log.Log(absl::StrCat("snapshot ", collected.number, " rejected: ", text));
}

void Sidecar::Archive(const snapshot::RecordedSnapshot& snapshot) {
  if (parts_.archive == nullptr) return;
  const absl::Status status = parts_.archive->Append(snapshot);
  const model::MutexLock lock(status_mutex_);
  if (status.ok() != archiving_.ok()) {
    parts_.log.Log(status.ok() ? "the archive works again"
                               : "not archived: " + std::string(status.message()));
  }
  archiving_ = status;
}

model::Budget Sidecar::MakeBudget() const {
  return model::Budget({.steps_max = parts_.config.steps_max,
                        .bytes_max = pacing_.MemoryFor(ResidentBytes()),
                        .deadline = parts_.now() + pacing_.budget()},
                       parts_.now);
}

void Sidecar::Work(const snapshot::RecordedSnapshot& snapshot, RoundRecord& record) {
  // The nodes' own check needs no search, so it gets the cut first.
  parts_.enforcer.HandOutCut(snapshot);
  // What is dead is told soon: the oracle needs little where there is little to be said.
  JudgeLives(snapshot, record);
  const Time begin = parts_.now();
  const model::Budget budget = MakeBudget();
  auto prediction = parts_.portfolio.Predict(snapshot.snapshot.cut, budget);
  record.predict = Since(begin);
  if (!prediction.ok()) {
    record.outcome = RoundOutcome::kFailed;
    record.error = std::string(prediction.status().message());
    parts_.log.Log("prediction failed: " + record.error);
    return Archive(snapshot);  // This cut more than any other.
  }
  for (const predictors::EngineRun& run : prediction->runs) {
    record.engines.push_back(RecordOf(run, *prediction, *record.predict));
  }
  faults_.Log(record.engines);
  LookAhead(snapshot, *prediction);
  RecordLives(record);
  record.predictions = static_cast<uint32_t>(prediction->predicted.size());
  record.spaces = static_cast<uint32_t>(prediction->spaces.size());
  record.spaces_complete = static_cast<uint32_t>(prediction->complete_spaces);
  // A cut without some node, or without some messages, says nothing about what they still can do.
  const bool conclusive = snapshot.snapshot.exact &&
                          prediction->complete_spaces == prediction->spaces.size() &&
                          LivesConclusive();
  std::vector<Alert> alerts = PlanVetoes(*prediction);
  const std::vector<std::string> decisions = parts_.enforcer.Steer(snapshot, alerts, conclusive);
  for (size_t i = 0; i < alerts.size(); ++i) alerts[i].decision = decisions[i];
  for (const Alert& alert : alerts) {
    const auto steps = static_cast<uint32_t>(alert.predicted.violation.path.size());
    const auto [least, added] =
        record.steps_away.try_emplace(alert.predicted.violation.invariant, steps);
    least->second = std::min(least->second, steps);
  }
  reporter_.Report(snapshot, std::move(alerts), {.round = record.number, .conclusive = conclusive});
  record.snapshot->age = parts_.now() - round_began_;
  // Last: nothing waits for the disk.
  Archive(snapshot);
}

std::vector<Alert> Sidecar::PlanVetoes(const predictors::Prediction& prediction) {
  std::vector<Alert> alerts;
  const predictors::SteeringOptions options = SteeringNow();
  for (const predictors::Predicted& predicted : prediction.predicted) {
    Alert alert{predicted,
                &prediction.SpaceOf(predicted),
                {},
                parts_.config.ModeOf(predicted.violation.invariant)};
    if (HasHappened(alert)) {
      alert.breakers =
          BreakersIn(parts_.service, prediction.now.cut, predicted.violation.invariant);
    }
    if (const predictors::LifeForecast* life = ForecastOf(predicted)) {
      alert.faults = life->faults;
      alert.dead_since = history_.DeadSince(life->property);
    }
    const bool steers = snapshot::Steers(alert.mode);
    if (steers && !predicted.violation.path.empty()) {
      model::Budget budget = MakeBudget();
      const auto plan =
          predictors::PlanRound(parts_.service, prediction, predicted, options, budget);
      if (plan.ok()) {
        alert.plan = *plan;
      } else {
        alert.plan.text = std::string(plan.status().message());
      }
    }
    alerts.push_back(std::move(alert));
  }
  return alerts;
}

predictors::SteeringOptions Sidecar::SteeringNow() const {
  const Config& config = parts_.config;
  predictors::SteeringOptions options{
      .filters_max = config.filters_max,
      .steps_max = config.veto_steps_max,
      .steady = failures_.SteadyNodes(config.imagined_faults, parts_.now())};
  for (const WatchedNode& node : config.nodes) options.steerable.push_back(node.steer);
  return options;
}

void Sidecar::ReadCounters() {
  const auto counters = parts_.client.Counters(parts_.config.collect_timeout);
  parts_.enforcer.Meet(counters);
  hits_.clear();
  for (size_t n = 0; n < counters.size(); ++n) {
    overheads_[n].reset();
    if (!counters[n].ok()) continue;
    const auto node = static_cast<uint32_t>(n);
    checkpoints_[n] = counters[n]->checkpoints;
    parts_.telemetry.Counters(node, *counters[n], parts_.now());
    overheads_[n] = NodeOverhead(parts_.telemetry.registry(), node);
    for (const snapshot::FilterHits& hits : counters[n]->hits) {
      hits_[{model::NodeId(node), hits.decision}] = hits.count;
    }
  }
}

void Sidecar::LogRound(const snapshot::RecordedSnapshot& snapshot, const RoundRecord& record) {
  if (!parts_.log.wants_events()) return;
  nlohmann::ordered_json json;
  json["round"] = record.number;
  json["snapshot"] = snapshot.snapshot.number;
  json["hints"] = answered_;
  json["seconds"] = std::chrono::duration<double>(record.duration).count();
  json["in_flight"] = snapshot.snapshot.cut.in_flight.size();
  json["exact"] = snapshot.snapshot.exact;
  json["predictions"] = record.predictions;
  json["vetoes"] = record.filters;
  json["spaces"] = record.engines.size();
  json["memory"] = {{"allocated", AllocatedBytes()}, {"resident", ResidentBytes()}};
  json["faulty"] = FaultyRuns(record.engines);
  json["liveness"] = LivesToJson(record.lives);
  auto nodes = nlohmann::ordered_json::array();
  const GuardDesk::Status guard = parts_.guard.status();
  for (uint32_t n = 0; n < snapshot.snapshot.cut.nodes.size(); ++n) {
    const model::NodeState& node = snapshot.snapshot.cut.nodes[n];
    auto fields = nlohmann::ordered_json::object();
    if (node.status == model::NodeStatus::kUp) {
      for (const auto& field : parts_.service.RenderState(model::NodeId(n), node.body)) {
        fields[field.name] = field.value;
      }
    }
    nodes.push_back({{"status", NodeAnswerName(record.nodes[n].answer)},
                     {"in_force", parts_.enforcer.in_force(model::NodeId(n))},
                     {"guarded", guard.not_guarded[n].empty()},
                     {"state", std::move(fields)}});
  }
  json["nodes"] = std::move(nodes);
  parts_.log.Event("foretell.round",
                   json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace foretell::agent
