#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/predictors/engines.h"

namespace foretell::predictors {

// There is no seed: nothing here is drawn at random. Spaces come in the test driver's order.
struct PortfolioOptions {
  std::vector<std::string> engines = DefaultPredictors();
  uint32_t threads = 2;
  uint32_t depth_max = UINT32_MAX;
  std::string components;            // For dir: which nodes belong together.
  std::vector<std::string> ignored;  // Invariants that are not looked at (mode off).
};

// The result of one engine on one imagined space.
struct EngineRun {
  std::string engine;
  size_t space = 0;      // Index into Prediction::spaces.
  absl::Status status;   // If not OK there is no report: the driver's, the service's or our bug.
  model::Report report;  // Paths start at the focus of the space.
  std::chrono::nanoseconds duration{0};
};

// A violation that can be reached from a live cut.
struct Predicted {
  model::Violation violation;   // The path was confirmed from the whole cut of its space.
  std::optional<size_t> space;  // Index into Prediction::spaces; none: the live cut breaks it.
  std::string engine;           // The first to find it; kLiveCut if the cut itself breaks it.
};
inline constexpr const char* kLiveCut = "cut";
// Stands for the service's driver among engines: what it imagined is no cut of the service.
inline constexpr const char* kDriver = "driver";

// A violation that was found in the focus of a space, but does not follow from its whole cut: a bug
// of the service's driver, of the engine or of ours. Never reported as a violation.
struct RejectedClaim {
  std::string engine;
  size_t space = 0;  // Index into Prediction::spaces.
  std::string invariant;
  std::string reason;  // Why the whole cut does not confirm it.
};

struct Prediction {
  std::vector<Predicted> predicted;     // At most one per invariant, shortest path first.
  std::vector<model::Imagined> spaces;  // The driver's, in its order.
  model::Imagined now;                  // The live cut as it is, in which nothing need happen.
  std::vector<EngineRun> runs;          // Every engine on every space it came to, partial ones too.
  size_t complete_spaces = 0;           // Of `spaces`: covered completely by some engine, or known.
  std::vector<RejectedClaim> rejected;

  // Where the path of one of `predicted` starts.
  const model::Imagined& SpaceOf(const Predicted& one) const {
    return one.space ? spaces[*one.space] : now;
  }
};

// Predicts from live cuts, round after round. Remembers bad paths and what it has already covered.
// Owns its threads while Predict runs; one call at a time.
class Portfolio {
 public:
  // The service outlives the portfolio. InvalidArgument for an unknown engine.
  static absl::StatusOr<std::unique_ptr<Portfolio>> Make(const model::Service& service,
                                                         PortfolioOptions options);
  virtual ~Portfolio() = default;
  // Fails only if `live` is not a cut of the service, if its driver throws, or on our own bug; what
  // goes wrong with one engine is a status of its run. With a limit on steps the same past and cut
  // give the same prediction, unless a deadline strikes before the steps are spent; durations
  // aside. Without one, engines stop each other, and once something is found only a tenth of the
  // time is spent on other invariants, or, if the round before did not find it, as long again as it
  // took (predictors/race.h): they are looked for in the next round. The clock of the budget is
  // read by several threads.
  virtual absl::StatusOr<Prediction> Predict(const model::SystemCut& live,
                                             const model::Budget& budget) = 0;
};

// `portfolio` as an engine of `foretell check`: the engines on the given start itself.
struct PortfolioExplorerOptions : model::ExploreOptions {
  uint32_t threads = 2;
};
std::unique_ptr<model::Explorer> MakePortfolioExplorer(const model::Service& service,
                                                       PortfolioExplorerOptions options);

}  // namespace foretell::predictors
