// The promise of the product, on real processes: what goes wrong is foreseen, and what is steered
// does not go wrong.

#include <gtest/gtest.h>

#include "tests/live/live_run.h"

namespace foretell::live {
namespace {

// Seeds whose unsteered runs break agreement within few calls; found by running the twins.
constexpr uint64_t kSeeds[] = {45,  58,  60,  78,  81,  104, 110, 116, 124, 125,
                               135, 137, 164, 169, 177, 200, 211, 216, 217, 223};

std::vector<RunOptions> Runs(size_t count, const RunOptions& base) {
  std::vector<RunOptions> runs;
  for (size_t i = 0; i < count; ++i) {
    runs.push_back(base);
    runs.back().seed = kSeeds[i];
  }
  return runs;
}

TEST(LiveSteeringTest, TheBugIsPredictedBeforeItHappensAndPreventedByEnforcing) {
  const size_t count = std::min(RunCount(20), std::size(kSeeds));
  const RunOptions watched{.bug = "last-response", .calls_max = 60, .until_violation = true};
  const auto twins = PlayAll(Runs(count, watched));
  std::vector<RunOptions> steered;
  for (size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(twins[i].ok()) << twins[i].status();
    SCOPED_TRACE("seed " + std::to_string(kSeeds[i]));
    ASSERT_TRUE(twins[i]->violated) << "the twin shows nothing, choose another seed";
    ASSERT_FALSE(twins[i]->predicted.empty());
    EXPECT_LE(twins[i]->predicted.front().call, twins[i]->violated->call);
    steered.push_back({.bug = "last-response",
                       .mode = "enforce",
                       .seed = kSeeds[i],
                       .calls_max = twins[i]->calls + 10});
  }
  const auto results = PlayAll(steered);
  for (size_t i = 0; i < count; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeeds[i]));
    ASSERT_TRUE(results[i].ok()) << results[i].status();
    EXPECT_FALSE(results[i]->violated) << results[i]->violated->text;
    uint64_t decided = 0;
    for (const uint64_t node : results[i]->last.progress) decided = std::max(decided, node);
    EXPECT_GE(decided, 5u) << "the cluster keeps committing";
  }
}

}  // namespace
}  // namespace foretell::live
