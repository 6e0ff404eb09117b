#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/health/status_page.h"
#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/report/agent_log.h"
#include "foretell/agent/telemetry/telemetry.h"
#include "foretell/model/service.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/predictors/steering.h"
#include "foretell/snapshot/protocol/recorded.h"

namespace foretell::agent {

// Tells the world about predicted violations: telemetry, log, events, and a bundle on disk. What
// was told is not told again unless a minute has gone by in which it was not predicted.
class Reporter {
 public:
  // All outlive the reporter. If there is a judge, then
  // what it has to say of paths from live cuts is told, which is that it cannot play them.
  Reporter(const model::Service& service, const Config& config, Telemetry& telemetry,
           Journal& journal, std::function<snapshot::UnixTime()> wall_now, bool has_judge = false)
      : service_(service),
        config_(config),
        telemetry_(telemetry),
        journal_(journal),
        wall_now_(std::move(wall_now)),
        has_judge_(has_judge) {}

  // A prediction with what is to be done about it.
  struct Finding {
    predictors::Predicted predicted;
    predictors::Plan plan;  // Empty in modes that need none.
    snapshot::Mode mode = snapshot::Mode::kObserve;
    std::string decision;  // What is done about it is audited under this name; empty: nothing is.
  };
  void Report(const snapshot::RecordedSnapshot& snapshot, const std::vector<Finding>& findings);

  // The newest first.
  const std::vector<StatusPage::Prediction>& recent() const { return recent_; }
  uint64_t reported(const std::string& invariant) const;

 private:
  void ReportOne(const snapshot::RecordedSnapshot& snapshot, const Finding& finding);
  std::string WriteBundle(const snapshot::RecordedSnapshot& snapshot, const Finding& finding);
  std::string EventJson(const snapshot::RecordedSnapshot& snapshot, const Finding& finding,
                        const std::string& text, const std::string& bundle) const;

  const model::Service& service_;
  const Config& config_;
  Telemetry& telemetry_;
  Journal& journal_;
  std::function<snapshot::UnixTime()> wall_now_;
  bool has_judge_;
  std::map<std::string, snapshot::UnixTime>
      told_;  // What was told, and when it was last predicted.
  std::map<std::string, uint64_t> counts_;
  bool bundles_full_ = false;
  std::vector<StatusPage::Prediction> recent_;
};

}  // namespace foretell::agent
