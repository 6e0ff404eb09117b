#pragma once

// Checking from a live cut: what the test driver imagines, space by space.

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/budget.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/predictors/coverage/coverage.h"
#include "foretell/predictors/engines.h"

namespace foretell::agent {

// The spaces worth checking from `live`; at least one. InvalidArgument if `live` is not a cut of
// the service.
absl::StatusOr<std::vector<model::Imagined>> SpacesOf(const model::Service& service,
                                                      const model::SystemCut& live);

// The cut to draw a recorded violation from: the focus of its space, which leaves out what does not
// matter, if the path can be seen from there; else `imagined` as it is. A focus that was read from
// a file may be anything.
model::SystemCut DrawingStart(const model::Service& service, const model::SystemCut& imagined,
                              const model::SystemCut& focus, const model::Violation& violation);

struct SpacesReport {
  model::Report report;           // Of all spaces together; violations replay on their space's cut.
  std::vector<size_t> spaces;     // For each violation, the space that it is in.
  predictors::Coverage coverage;  // Of all spaces together.
  // Where the violation starts if that is not its space's cut: an earlier one of the same run.
  std::optional<model::SystemCut> start;
};

// Explores the spaces one after the other within one budget. `first_only`: until one of them has a
// violation; else until all are done, with the shortest path per invariant.
absl::StatusOr<SpacesReport> ExploreSpaces(const predictors::Engine& engine,
                                           const predictors::EngineOptions& options,
                                           const model::Service& service,
                                           const std::vector<model::Imagined>& spaces,
                                           bool first_only, model::Budget& budget);

}  // namespace foretell::agent
