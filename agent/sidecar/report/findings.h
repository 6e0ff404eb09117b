#pragma once

#include <vector>

#include "absl/status/status.h"
#include "foretell/agent/health/status_page.h"
#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/report/bundle_folder.h"
#include "foretell/agent/telemetry/signals/record.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// What a round leaves behind, for findings.
struct RoundFacts {
  const RoundRecord& record;
  const Config& config;
  const model::Service& service;
  absl::Status archiving;
  const BundleFolder& bundles;
};

// Why the round predicted what it did, or nothing: what it looked at, how far, with what, and
// whether what it found is kept. Whole sentences, one finding per concern, always in the same
// order.
std::vector<StatusPage::Finding> FindingsOf(const RoundFacts& facts);

}  // namespace foretell::agent
