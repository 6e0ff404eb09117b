#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "foretell/agent/telemetry/signals/record.h"
#include "foretell/agent/telemetry/signals/registry.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/snapshot/node/info.h"

namespace foretell::agent {

// Turns what the agent reports into the values of metrics. Thread-safe.
class Figures {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // Told of every value of a histogram, besides the registry.
  using Recorded = std::function<void(MetricId, const Labels&, double)>;
  // `registry` outlives this. REQUIRES: `recorded` is not empty.
  Figures(Registry& registry, Recorded recorded);

  void Round(const RoundRecord& round);
  void Violation(const ViolationEvent& event);
  void Resolved(const ResolvedEvent& event);
  void VetoApplied(const VetoEvent& event);
  void SnapshotRejected(const RejectedSnapshotEvent& event);
  void Counters(uint32_t node, const snapshot::NodeCounters& counters, Time now);

 private:
  struct Seen {
    snapshot::NodeCounters counters;
    Time time;
  };
  void Record(MetricId histogram, const Labels& labels, double value);
  void Engine(const EngineRecord& run);
  void Outlook(const RoundRecord& round);
  void AddGuard(uint32_t node, const snapshot::NodeCounters& now,
                const snapshot::NodeCounters& before);
  void AddHits(uint32_t node, snapshot::Mode mode, const char* source, uint64_t count,
               uint64_t before);

  Registry& registry_;
  const Recorded recorded_;
  model::Mutex mutex_;
  std::map<uint32_t, Seen> seen_ ABSL_GUARDED_BY(mutex_);  // By node.
};

// The share of its time that a node spent for its agent, as the metric has it; none if it is not
// known yet.
std::optional<double> NodeOverhead(const Registry& registry, uint32_t node);

}  // namespace foretell::agent
