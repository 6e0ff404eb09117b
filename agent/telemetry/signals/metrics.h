#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace foretell::agent {

enum class MetricKind : uint8_t { kCounter, kGauge, kHistogram };

// One metric that the agent exports, the same to OpenTelemetry and to Prometheus.
struct Metric {
  std::string_view name;         // OpenTelemetry's: "foretell.round.duration".
  std::string_view unit;         // UCUM: "s", "By", "1", "{round}", "{state}/s".
  std::string_view description;  // One sentence.
  MetricKind kind = MetricKind::kCounter;
  std::span<const double> bounds = {};  // Upper bounds of a histogram's buckets, rising.
};

// The name in Prometheus text by the rules of OpenTelemetry's compatibility page: dots become
// underscores, the unit is spelt out at the end, counters end in "_total".
std::string PrometheusName(const Metric& metric);

namespace metrics {
extern const Metric kRounds;             // foretell.outcome
extern const Metric kRoundDuration;      // foretell.outcome
extern const Metric kSnapshotDuration;   // of collecting one
extern const Metric kSnapshotSize;       //
extern const Metric kSnapshotAge;        // when the round ended
extern const Metric kSnapshotRejected;   // foretell.reason
extern const Metric kNodeUp;             // foretell.node.id
extern const Metric kNodeOverhead;       // foretell.node.id
extern const Metric kNodeCaptured;       // foretell.node.id
extern const Metric kEngineFailures;     // foretell.engine
extern const Metric kClaimsRejected;     // foretell.engine
extern const Metric kStates;             // foretell.engine
extern const Metric kStateRate;          // foretell.engine
extern const Metric kDepth;              // foretell.engine
extern const Metric kHandlerExecutions;  // foretell.engine
extern const Metric kMemoHitRatio;       // foretell.engine
extern const Metric kPredictions;        // foretell.invariant, foretell.engine, foretell.mode
extern const Metric kVetoes;             // foretell.invariant, foretell.mode
extern const Metric kVetoesActive;       // in force after the last round
extern const Metric kFilterHits;         // foretell.node.id, foretell.mode, foretell.source
extern const Metric kKilled;             // 1 while the kill switch is on
extern const Metric kTelemetryDropped;   // foretell.signal
}  // namespace metrics

// All of them, in the order in which they are shown.
std::span<const Metric* const> AllMetrics();

}  // namespace foretell::agent
