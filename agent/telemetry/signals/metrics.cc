#include "foretell/agent/telemetry/signals/metrics.h"

#include <array>

namespace foretell::agent {
namespace {

// From a checkpoint on the same machine to a round that used up a long budget.
constexpr std::array kSeconds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                 0.5,   1.0,    2.5,   5.0,  10.0,  30.0, 60.0};
constexpr std::array kBytes = {256.0,    1024.0,    4096.0,    16384.0,    65536.0,
                               262144.0, 1048576.0, 4194304.0, 16777216.0, 67108864.0};

std::string Underscored(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (c == '.') c = '_';
  }
  return result;
}

// Annotations such as "{round}" are for people and leave no trace in the name.
std::string UnitSuffix(const Metric& metric) {
  if (metric.unit == "s") return "_seconds";
  if (metric.unit == "By") return "_bytes";
  if (metric.unit == "1" && metric.kind == MetricKind::kGauge) return "_ratio";
  if (metric.unit.ends_with("/s")) return "_per_second";
  return "";
}

}  // namespace

std::string PrometheusName(const Metric& metric) {
  std::string name = Underscored(metric.name);
  const std::string unit = UnitSuffix(metric);
  if (!name.ends_with(unit)) name += unit;
  if (metric.kind == MetricKind::kCounter) name += "_total";
  return name;
}

namespace metrics {
const Metric kRounds{"foretell.rounds", "{round}", "Rounds that ended.", MetricKind::kCounter};
const Metric kRoundDuration{"foretell.round.duration", "s", "Time that a round took.",
                            MetricKind::kHistogram, kSeconds};
const Metric kSnapshotDuration{"foretell.snapshot.duration", "s",
                               "Time that collecting a snapshot took.", MetricKind::kHistogram,
                               kSeconds};
const Metric kSnapshotSize{"foretell.snapshot.size", "By", "Size of an accepted snapshot.",
                           MetricKind::kHistogram, kBytes};
const Metric kSnapshotAge{"foretell.snapshot.age", "s",
                          "Age of the last accepted snapshot when its round ended.",
                          MetricKind::kGauge};
const Metric kSnapshotRejected{"foretell.snapshot.rejected", "{snapshot}",
                               "Snapshots that were not used.", MetricKind::kCounter};
const Metric kNodeUp{"foretell.node.up", "", "Whether the node answered in the last round.",
                     MetricKind::kGauge};
const Metric kNodeOverhead{"foretell.node.overhead", "1",
                           "Fraction of the node's time that went into checkpoints.",
                           MetricKind::kGauge};
const Metric kNodeCaptured{"foretell.node.captured", "By",
                           "State that the node has copied for checkpoints.", MetricKind::kCounter};
const Metric kEngineFailures{"foretell.engine.failures", "{run}",
                             "Runs of engines that ended with an error.", MetricKind::kCounter};
const Metric kClaimsRejected{"foretell.claims.rejected", "{claim}",
                             "Violations that an engine claimed and the cut did not confirm.",
                             MetricKind::kCounter};
const Metric kStates{"foretell.states", "{state}", "States that engines explored.",
                     MetricKind::kCounter};
const Metric kStateRate{"foretell.state.rate", "{state}/s",
                        "States explored per second in the engine's last run.", MetricKind::kGauge};
const Metric kDepth{"foretell.depth", "{step}", "Steps ahead that the engine's last run reached.",
                    MetricKind::kGauge};
const Metric kHandlerExecutions{"foretell.handler.executions", "{execution}",
                                "Handlers of the service that engines ran.", MetricKind::kCounter};
const Metric kMemoHitRatio{"foretell.memo.hit_ratio", "1",
                           "Fraction of transitions that needed no handler, in the last run.",
                           MetricKind::kGauge};
const Metric kPredictions{"foretell.predictions", "{prediction}", "Violations predicted.",
                          MetricKind::kCounter};
const Metric kVetoes{"foretell.vetoes", "{veto}", "Vetoes handed out, by mode.",
                     MetricKind::kCounter};
const Metric kVetoesActive{"foretell.vetoes.active", "{veto}",
                           "Vetoes in force after the last round.", MetricKind::kGauge};
const Metric kFilterHits{"foretell.filter.hits", "{event}",
                         "Events that nodes stopped (enforce) or would have (shadow).",
                         MetricKind::kCounter};
const Metric kKilled{"foretell.killed", "", "Whether the kill switch is on.", MetricKind::kGauge};
const Metric kTelemetryDropped{"foretell.telemetry.dropped", "{item}",
                               "Spans, log records, data points and series that were lost.",
                               MetricKind::kCounter};
}  // namespace metrics

std::span<const Metric* const> AllMetrics() {
  static constexpr std::array<const Metric*, 22> kAll = {
      &metrics::kRounds,          &metrics::kRoundDuration,  &metrics::kSnapshotDuration,
      &metrics::kSnapshotSize,    &metrics::kSnapshotAge,    &metrics::kSnapshotRejected,
      &metrics::kNodeUp,          &metrics::kNodeOverhead,   &metrics::kNodeCaptured,
      &metrics::kEngineFailures,  &metrics::kClaimsRejected, &metrics::kStates,
      &metrics::kStateRate,       &metrics::kDepth,          &metrics::kHandlerExecutions,
      &metrics::kMemoHitRatio,    &metrics::kPredictions,    &metrics::kVetoes,
      &metrics::kVetoesActive,    &metrics::kFilterHits,     &metrics::kKilled,
      &metrics::kTelemetryDropped};
  return kAll;
}

}  // namespace foretell::agent
