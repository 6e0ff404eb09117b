#pragma once

#include <chrono>
#include <memory>
#include <ostream>
#include <string>

#include "foretell/agent/telemetry/export/delivery.h"
#include "foretell/agent/telemetry/export/logs.h"
#include "foretell/agent/telemetry/export/meters.h"
#include "foretell/agent/telemetry/export/rate_limited_log.h"
#include "foretell/agent/telemetry/export/settings.h"
#include "foretell/agent/telemetry/export/traces.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::agent {

// One signal on its way out: what the SDK runs for it, and its books. Both are null if nothing is
// exported.
template <class Kind>
struct Pipeline {
  std::unique_ptr<Kind> signal;
  std::shared_ptr<Delivery> delivery;
};

struct Pipelines {
  Pipeline<Traces> traces;
  Pipeline<Meters> meters;
  Pipeline<Logs> logs;
};

struct PipelineOptions {
  TelemetrySettings settings;
  std::string service_name;
  std::string version;
  Labels watched;  // More attributes of the resource.
  std::ostream& console;
  std::shared_ptr<model::Mutex> turns;  // Held by whoever writes to the console.
  std::shared_ptr<Registry> registry;
  std::shared_ptr<RareLines> lines;  // For what the SDK has to say.
  bool own_name = false;  // OTEL_SERVICE_NAME is not ours: it is that of what really runs.
};
// Throws what the SDK throws if no thread can be started.
Pipelines StartPipelines(const PipelineOptions& options);

// Closes all signals, each on a thread of its own, within `timeout`. A thread that cannot be
// ended by then is left behind with all that it uses. False if there is one.
bool ClosePipelines(Pipelines pipelines, std::chrono::milliseconds timeout);

}  // namespace foretell::agent
