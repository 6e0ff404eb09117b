#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/health/status_page.h"
#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/report/agent_log.h"
#include "foretell/agent/sidecar/report/alert.h"
#include "foretell/agent/sidecar/report/bundle_folder.h"
#include "foretell/agent/sidecar/report/stories.h"
#include "foretell/agent/telemetry/telemetry.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/recorded.h"

namespace foretell::agent {

// Tells the world about violations: telemetry, log, events, and a bundle on disk; and what has
// become of those that were told (Stories).
class Reporter {
 public:
  // All outlive the reporter. If there is a judge, then
  // what it has to say of paths from live cuts is told, which is that it cannot play them.
  Reporter(const model::Service& service, const Config& config, Telemetry& telemetry, AgentLog& log,
           std::function<UnixTime()> wall_now, bool has_judge = false)
      : service_(service),
        telemetry_(telemetry),
        log_(log),
        wall_now_(std::move(wall_now)),
        has_judge_(has_judge),
        bundles_(config, log) {}

  // All that a round found, told before or not.
  void Report(const snapshot::RecordedSnapshot& snapshot, std::vector<Alert> alerts,
              RoundSight sight);
  // A liveness predicate that was dead is not dead any more.
  void ReportResolved(const ResolvedEvent& event);

  // The newest first.
  const std::vector<StatusPage::Prediction>& recent() const { return recent_; }
  uint64_t reported(const std::string& invariant) const;
  const BundleFolder& bundles() const { return bundles_; }

 private:
  void Resolved(const ResolvedEvent& event, const char* word);
  void ReportOne(const snapshot::RecordedSnapshot& snapshot, Alert& alert);
  void LogLines(const Alert& alert);

  const model::Service& service_;
  Telemetry& telemetry_;
  AgentLog& log_;
  std::function<UnixTime()> wall_now_;
  bool has_judge_;
  Stories stories_;
  std::map<std::string, uint64_t> counts_;
  BundleFolder bundles_;
  std::vector<StatusPage::Prediction> recent_;
};

}  // namespace foretell::agent
