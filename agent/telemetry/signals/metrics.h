#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace foretell::agent {

enum class MetricKind : uint8_t { kCounter, kGauge, kHistogram };

// The metrics of the agent, as indices into kAllMetrics.
enum class MetricId : uint8_t {
  kBuildInfo,
  kRounds,
  kRoundDuration,
  kSnapshotDuration,
  kSnapshotSize,
  kSnapshotAge,
  kSnapshotExact,
  kSnapshotRejected,
  kNodeUp,
  kNodeOverhead,
  kNodeCaptured,
  kEngineFailures,
  kClaimsRejected,
  kStates,
  kStateRate,
  kDepth,
  kHandlerExecutions,
  kMemoHitRatio,
  kPredictions,
  kViolations,
  kResolutions,
  kStepsAway,
  kSpaces,
  kSpacesComplete,
  kLifeDead,
  kLifeGap,
  kLifeDuration,
  kVetoes,
  kVetoesActive,
  kFilterHits,
  kGuardEvents,
  kGuardHeld,
  kKilled,
  kFallenBack,
  kTelemetryDropped,  // The last one.
};
namespace metrics {
using enum MetricId;
}

// One metric that the agent exports, the same to OpenTelemetry and to Prometheus.
struct Metric {
  MetricId id;
  MetricKind kind;
  std::string_view name;                // OpenTelemetry's: "foretell.round.duration".
  std::string_view unit;                // UCUM: "s", "By", "1", "{round}", "{state}/s".
  std::string_view description;         // One sentence.
  std::span<const double> bounds = {};  // Upper bounds of a histogram's buckets, rising.
};

// From a checkpoint on the same machine to a round that used up a long budget.
inline constexpr double kSecondsBounds[] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                            0.5,   1.0,    2.5,   5.0,  10.0,  30.0, 60.0};
inline constexpr double kBytesBounds[] = {256.0,    1024.0,    4096.0,    16384.0,    65536.0,
                                          262144.0, 1048576.0, 4194304.0, 16777216.0, 67108864.0};

// All metrics, in the order in which they are shown. The comment says which attributes a metric
// has, each with the prefix "foretell.".
// clang-format off
inline constexpr auto kAllMetrics = std::to_array<Metric>({
    {metrics::kBuildInfo, MetricKind::kGauge, "foretell.build.info", "",  // version
     "Always 1; its labels name the build, and as those of all series what is watched."},
    {metrics::kRounds, MetricKind::kCounter, "foretell.rounds", "{round}",  // outcome
     "Rounds that ended."},
    {metrics::kRoundDuration, MetricKind::kHistogram, "foretell.round.duration", "s",  // outcome
     "Time that a round took.", kSecondsBounds},
    {metrics::kSnapshotDuration, MetricKind::kHistogram, "foretell.snapshot.duration", "s",
     "Time that collecting a snapshot took.", kSecondsBounds},
    {metrics::kSnapshotSize, MetricKind::kHistogram, "foretell.snapshot.size", "By",
     "Size of an accepted snapshot.", kBytesBounds},
    {metrics::kSnapshotAge, MetricKind::kGauge, "foretell.snapshot.age", "s",
     "Age of the last accepted snapshot when its round ended."},
    {metrics::kSnapshotExact, MetricKind::kGauge, "foretell.snapshot.exact", "",
     "Whether all that is in flight is known of the last accepted snapshot."},
    {metrics::kSnapshotRejected, MetricKind::kCounter, "foretell.snapshot.rejected",  // reason
     "{snapshot}", "Snapshots that were not used."},
    {metrics::kNodeUp, MetricKind::kGauge, "foretell.node.up", "",  // node.id
     "Whether the node answered in the last round."},
    {metrics::kNodeOverhead, MetricKind::kGauge, "foretell.node.overhead", "1",  // node.id
     "Fraction of the node's time that went into checkpoints."},
    {metrics::kNodeCaptured, MetricKind::kCounter, "foretell.node.captured", "By",  // node.id
     "State that the node has copied for checkpoints."},
    {metrics::kEngineFailures, MetricKind::kCounter, "foretell.engine.failures", "{run}",  // engine
     "Runs of engines that ended with an error."},
    {metrics::kClaimsRejected, MetricKind::kCounter, "foretell.claims.rejected",  // engine
     "{claim}", "Violations that an engine claimed and the cut did not confirm."},
    {metrics::kStates, MetricKind::kCounter, "foretell.states", "{state}",  // engine
     "States that engines explored."},
    {metrics::kStateRate, MetricKind::kGauge, "foretell.state.rate", "{state}/s",  // engine
     "States explored per second in the engine's last run."},
    {metrics::kDepth, MetricKind::kGauge, "foretell.depth", "{step}",  // engine
     "Steps ahead that the engine's last run reached."},
    {metrics::kHandlerExecutions, MetricKind::kCounter, "foretell.handler.executions",  // engine
     "{execution}", "Handlers of the service that engines ran."},
    {metrics::kMemoHitRatio, MetricKind::kGauge, "foretell.memo.hit_ratio", "1",  // engine
     "Fraction of transitions that needed no handler, in the last run."},
    {metrics::kPredictions, MetricKind::kCounter, "foretell.predictions", "{prediction}",
     "Violations predicted."},  // invariant, engine, mode
    {metrics::kViolations, MetricKind::kCounter, "foretell.violations", "{violation}",  // invariant
     "Violations that had happened when a cut was taken, by what they show."},
    {metrics::kResolutions, MetricKind::kCounter, "foretell.resolutions", "{violation}",
     "Violations, predicted or happened, that are no longer there."},  // invariant
    {metrics::kStepsAway, MetricKind::kGauge, "foretell.steps_away", "{step}",  // invariant
     "Least steps to a violation in the last round, 0: it is there; no series: none was found."},
    {metrics::kSpaces, MetricKind::kGauge, "foretell.spaces", "{space}",
     "Spaces that the last round was to search."},
    {metrics::kSpacesComplete, MetricKind::kGauge, "foretell.spaces.complete", "{space}",
     "Spaces of the last round that were searched to the end."},
    {metrics::kLifeDead, MetricKind::kGauge, "foretell.liveness.dead", "",  // invariant
     "Whether the liveness predicate was proved dead in the last round."},
    {metrics::kLifeGap, MetricKind::kGauge, "foretell.liveness.gap", "s",  // invariant
     "Time since a cut in which the liveness predicate held."},
    {metrics::kLifeDuration, MetricKind::kHistogram, "foretell.liveness.duration", "s",
     "Time that judging the liveness predicates in a cut took.", kSecondsBounds},
    {metrics::kVetoes, MetricKind::kCounter, "foretell.vetoes", "{veto}",  // invariant, mode
     "Vetoes handed out, by mode."},
    {metrics::kVetoesActive, MetricKind::kGauge, "foretell.vetoes.active", "{veto}",
     "Vetoes in force after the last round."},
    {metrics::kFilterHits, MetricKind::kCounter, "foretell.filter.hits",  // node.id, mode, source
     "{event}", "Events that nodes stopped (enforce) or would have (shadow)."},
    {metrics::kGuardEvents, MetricKind::kCounter, "foretell.guard.events",  // node.id, outcome
     "{event}", "Events under a guard: held, not-held, refused, expired; and guards that lapsed."},
    {metrics::kGuardHeld, MetricKind::kCounter, "foretell.guard.held", "s",  // node.id
     "Time that nodes held events under a guard."},
    {metrics::kKilled, MetricKind::kGauge, "foretell.killed", "",
     "Whether the kill switch is on."},
    {metrics::kFallenBack, MetricKind::kGauge, "foretell.fallen_back", "",
     "Whether vetoes are only shadowed, because there were too many."},
    {metrics::kTelemetryDropped, MetricKind::kCounter, "foretell.telemetry.dropped",  // signal
     "{item}", "Spans, log records, data points and series that were lost."},
});
// clang-format on

constexpr const Metric& MetricOf(MetricId id) { return kAllMetrics[static_cast<size_t>(id)]; }

static_assert(
    [] {
      for (size_t i = 0; i < kAllMetrics.size(); ++i) {
        if (kAllMetrics[i].id != static_cast<MetricId>(i)) return false;
      }
      return kAllMetrics.back().id == MetricId::kTelemetryDropped;
    }(),
    "kAllMetrics must have one row per MetricId, in the same order");

// The name in Prometheus text by the rules of OpenTelemetry's compatibility page: dots become
// underscores, the unit is spelt out at the end, counters end in "_total".
std::string PrometheusName(const Metric& metric);

}  // namespace foretell::agent
