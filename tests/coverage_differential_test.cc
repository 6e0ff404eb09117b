// Every engine on random services, alone and with the service watched: the reports are the same.
// The random services tell the truth about what is stable, but the probe tries combinations that do
// not occur: where it doubts a true claim, the verdict must still be the same.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/predictors/coverage/explore_covered.h"
#include "foretell/tests/support/engines.h"

namespace foretell {
namespace {

using predictors::CoveredReport;
using predictors::Engine;

constexpr uint64_t kServices = 100;
constexpr uint64_t kStepsMax = 2'000;

CoveredReport Watched(const Engine& engine, const predictors::EngineOptions& options,
                      const model::System& system) {
  model::Budget budget = tests::Steps(kStepsMax);
  auto covered = predictors::ExploreCovered(engine, options, *system.service, system.start, budget);
  EXPECT_TRUE(covered.ok()) << covered.status();
  return covered.ok() ? *std::move(covered) : CoveredReport{};
}

std::set<std::string> Names(const model::Report& report) {
  std::set<std::string> names;
  for (const model::Violation& violation : report.violations) names.insert(violation.invariant);
  return names;
}

// Returns whether a claim was doubted.
bool Compare(const Engine& engine, const model::System& system) {
  predictors::EngineOptions options;
  options.all_invariants = true;
  const model::Report alone =
      tests::Explore(*system.service, system.start, engine.name, options, kStepsMax);
  const CoveredReport watched = Watched(engine, options, system);
  tests::ExpectSound(*system.service, system.start, watched.report);
  if (watched.coverage.doubts.empty() || !engine.trusts_stable) {
    tests::ExpectSame(alone, watched.report);
  } else if (alone.complete && watched.report.complete) {
    EXPECT_EQ(alone.outcome, watched.report.outcome);
    EXPECT_EQ(Names(alone), Names(watched.report));
  }
  return !watched.coverage.doubts.empty();
}

TEST(CoverageDifferentialTest, WatchingChangesNoVerdict) {
  uint64_t doubted = 0;
  for (uint64_t seed = 1; seed <= kServices; ++seed) {
    const model::System system = integration::MakeRandomSystem(integration::RandomSpec(seed));
    for (const Engine& engine : predictors::SafetyEngines()) {
      SCOPED_TRACE(engine.name + ", seed " + std::to_string(seed));
      if (Compare(engine, system)) ++doubted;
      if (HasFailure()) return;
    }
  }
  RecordProperty("doubted", std::to_string(doubted));
}

}  // namespace
}  // namespace foretell
