#pragma once

// A search that says what it covered: the one way from an engine to a verdict for people.

#include "absl/status/statusor.h"
#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/predictors/coverage/coverage.h"
#include "foretell/predictors/engines.h"

namespace foretell::predictors {

struct CoveredReport {
  model::Report report;
  Coverage coverage;
};

// Explores with the service watched. If an invariant turns out not to be stable although it says
// so, and the engine relied on that, it explores again, within what is left of the budget, without
// that claim; the report is never one that relies on it. Fails as Explorer::Explore does.
absl::StatusOr<CoveredReport> ExploreCovered(const Engine& engine, const EngineOptions& options,
                                             const model::Service& service,
                                             const model::SystemCut& start, model::Budget& budget);

}  // namespace foretell::predictors
