#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "foretell/agent/telemetry/export/traces.h"

namespace foretell::agent {

// Log events, through the SDK's batch processor. Thread-safe.
class Logs {
 public:
  // Without `batch`, each record is exported at once, by the thread that emits it.
  static std::unique_ptr<Logs> Start(std::unique_ptr<otel::logs::LogRecordExporter> exporter,
                                     const std::optional<BatchSettings>& batch,
                                     std::shared_ptr<Delivery> delivery,
                                     const otel::resource::Resource& resource);
  // Exports what is queued. Blocks for as long as the exporter does.
  virtual ~Logs() = default;

  virtual void Emit(const EventRecord& event, const TraceIds& ids,
                    std::chrono::system_clock::time_point time) = 0;
};

}  // namespace foretell::agent
