#include "foretell/agent/telemetry/signals/metric_recorder.h"

#include <algorithm>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::agent {
namespace {

double Seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

// Nodes are not trusted to keep their numbers in order.
uint64_t Less(uint64_t value, uint64_t part) { return value - std::min(value, part); }

Labels NodeLabel(uint32_t node) { return {{"foretell.node.id", std::to_string(node)}}; }

}  // namespace

Figures::Figures(Registry& registry, Recorded recorded)
    : registry_(registry), recorded_(std::move(recorded)) {
  FORETELL_CHECK(recorded_ != nullptr);
}

void Figures::Record(MetricId histogram, const Labels& labels, double value) {
  registry_.Record(histogram, labels, value);
  recorded_(histogram, labels, value);
}

void Figures::Engine(const EngineRecord& run) {
  const Labels labels = {{"foretell.engine", run.engine}};
  // Nought is told as well: a rate needs a value before the first failure.
  registry_.Add(metrics::kEngineFailures, labels, run.outcome ? 0 : 1);
  registry_.Add(metrics::kClaimsRejected, labels, static_cast<double>(run.rejected.size()));
  registry_.Add(metrics::kStates, labels, static_cast<double>(run.states));
  registry_.Add(metrics::kHandlerExecutions, labels, static_cast<double>(run.handler_executions));
  registry_.Set(metrics::kDepth, labels, static_cast<double>(run.depth));
  const double seconds = Seconds(run.timing.duration);
  if (seconds > 0) {
    registry_.Set(metrics::kStateRate, labels, static_cast<double>(run.states) / seconds);
  }
  if (const auto ratio = MemoHitRatio(run)) registry_.Set(metrics::kMemoHitRatio, labels, *ratio);
}

// What the last search found. A round without one says nothing new.
void Figures::Outlook(const RoundRecord& round) {
  registry_.Clear(metrics::kStepsAway);
  for (const auto& [invariant, steps] : round.steps_away) {
    registry_.Set(metrics::kStepsAway, {{"foretell.invariant", invariant}}, steps);
  }
  registry_.Set(metrics::kSpaces, {}, round.spaces);
  registry_.Set(metrics::kSpacesComplete, {}, round.spaces_complete);
}

void Figures::Round(const RoundRecord& round) {
  const Labels outcome = {{"foretell.outcome", RoundOutcomeName(round.outcome)}};
  registry_.Add(metrics::kRounds, outcome, 1);
  Record(metrics::kRoundDuration, outcome, Seconds(round.duration));
  if (round.collect) Record(metrics::kSnapshotDuration, {}, Seconds(round.collect->duration));
  if (round.snapshot) {
    Record(metrics::kSnapshotSize, {}, static_cast<double>(round.snapshot->bytes));
    registry_.Set(metrics::kSnapshotAge, {}, Seconds(round.snapshot->age));
    registry_.Set(metrics::kSnapshotExact, {}, round.snapshot->exact ? 1 : 0);
  }
  for (const NodeRecord& node : round.nodes) {
    registry_.Set(metrics::kNodeUp, NodeLabel(node.node), node.answer == NodeAnswer::kOk ? 1 : 0);
  }
  if (round.judge && !round.lives.empty()) {
    Record(metrics::kLifeDuration, {}, Seconds(round.judge->duration));
  }
  for (const LifeRecord& life : round.lives) {
    const Labels labels = {{"foretell.invariant", life.property}};
    registry_.Set(metrics::kLifeDead, labels, life.dead ? 1 : 0);
    registry_.Set(metrics::kLifeGap, labels, Seconds(life.gap));
  }
  for (const EngineRecord& run : round.engines) Engine(run);
  if (round.outcome == RoundOutcome::kOk) Outlook(round);
  registry_.Set(metrics::kVetoesActive, {}, round.filters);
  registry_.Set(metrics::kKilled, {}, round.killed ? 1 : 0);
  registry_.Set(metrics::kFallenBack, {}, round.fallen_back.empty() ? 0 : 1);
}

void Figures::Violation(const ViolationEvent& event) {
  if (event.happened) {
    registry_.Add(metrics::kViolations, {{"foretell.invariant", event.invariant}}, 1);
    return;
  }
  registry_.Add(metrics::kPredictions,
                {{"foretell.invariant", event.invariant},
                 {"foretell.engine", event.engine},
                 {"foretell.mode", snapshot::ModeName(event.mode)}},
                1);
}

void Figures::Resolved(const ResolvedEvent& event) {
  registry_.Add(metrics::kResolutions, {{"foretell.invariant", event.invariant}}, 1);
}

void Figures::VetoApplied(const VetoEvent& event) {
  registry_.Add(
      metrics::kVetoes,
      {{"foretell.invariant", event.invariant}, {"foretell.mode", snapshot::ModeName(event.mode)}},
      1);
}

void Figures::SnapshotRejected(const RejectedSnapshotEvent& event) {
  registry_.Add(metrics::kSnapshotRejected, {{"foretell.reason", SnapshotFaultName(event.fault)}},
                1);
}

// What came on top since the last time.
void Figures::AddHits(uint32_t node, snapshot::Mode mode, const char* source, uint64_t count,
                      uint64_t before) {
  Labels labels = NodeLabel(node);
  labels.insert(labels.end(),
                {{"foretell.mode", snapshot::ModeName(mode)}, {"foretell.source", source}});
  registry_.Add(metrics::kFilterHits, labels, static_cast<double>(Less(count, before)));
}

void Figures::AddGuard(uint32_t node, const snapshot::NodeCounters& now,
                       const snapshot::NodeCounters& before) {
  // Agents without guarded invariants have no use for rows of zeroes.
  if (now.guard_asked + now.guard_forced + now.guard_lapsed == 0) return;
  using Counters = snapshot::NodeCounters;
  constexpr std::pair<const char*, uint64_t Counters::*> kOutcomes[] = {
      {"held", &Counters::guard_asked},
      {"not-held", &Counters::guard_forced},
      {"refused", &Counters::guard_refused},
      {"expired", &Counters::guard_expired},
      {"lapsed", &Counters::guard_lapsed}};
  for (const auto& [outcome, member] : kOutcomes) {
    Labels labels = NodeLabel(node);
    labels.push_back({"foretell.outcome", outcome});
    registry_.Add(metrics::kGuardEvents, labels,
                  static_cast<double>(Less(now.*member, before.*member)));
  }
  registry_.Add(metrics::kGuardHeld, NodeLabel(node),
                static_cast<double>(Less(now.guard_nanos, before.guard_nanos)) / 1e9);
}

void Figures::Counters(uint32_t node, const snapshot::NodeCounters& counters, Time now) {
  const model::MutexLock lock(mutex_);
  const auto [found, first] = seen_.try_emplace(node);
  Seen& seen = found->second;
  // A node that starts again counts from zero.
  if (counters.events < seen.counters.events ||
      counters.checkpoint_nanos < seen.counters.checkpoint_nanos) {
    seen.counters = {};
  }
  const snapshot::NodeCounters& old = seen.counters;
  AddHits(node, snapshot::Mode::kEnforce, "immediate", counters.immediate_vetoed,
          old.immediate_vetoed);
  AddHits(node, snapshot::Mode::kShadow, "immediate", counters.immediate_shadowed,
          old.immediate_shadowed);
  // The totals count those of the immediate check as well.
  AddHits(node, snapshot::Mode::kEnforce, "filter",
          Less(counters.vetoed, counters.immediate_vetoed + counters.guard_refused),
          Less(old.vetoed, old.immediate_vetoed + old.guard_refused));
  AddHits(node, snapshot::Mode::kShadow, "filter",
          Less(counters.shadowed, counters.immediate_shadowed),
          Less(old.shadowed, old.immediate_shadowed));
  AddGuard(node, counters, old);
  registry_.Add(metrics::kNodeCaptured, NodeLabel(node),
                static_cast<double>(Less(counters.checkpoint_bytes, old.checkpoint_bytes)));
  if (!first && now > seen.time) {
    const uint64_t spent = Less(counters.checkpoint_nanos, old.checkpoint_nanos);
    registry_.Set(metrics::kNodeOverhead, NodeLabel(node),
                  static_cast<double>(spent) / 1e9 / Seconds(now - seen.time));
  }
  seen = {counters, now};
}

std::optional<double> NodeOverhead(const Registry& registry, uint32_t node) {
  for (const Registry::Series& series : registry.Values(metrics::kNodeOverhead)) {
    if (series.labels == NodeLabel(node)) return series.value;
  }
  return std::nullopt;
}

}  // namespace foretell::agent
