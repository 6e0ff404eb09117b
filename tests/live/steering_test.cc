// The promise of the product, on real processes: what goes wrong is seen, and what is steered
// does not go wrong.

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "foretell/tests/live/live_run.h"

namespace foretell::live {
namespace {

// Seeds whose unsteered runs break agreement within few calls; DISABLED_Survey finds such.
constexpr uint64_t kSeeds[] = {32,  45,  54,  63,  104, 121, 123, 143, 161, 170,
                               182, 200, 229, 238, 244, 247, 277, 286, 323, 330};

std::vector<RunOptions> Runs(size_t count, const RunOptions& base) {
  std::vector<RunOptions> runs;
  for (size_t i = 0; i < count; ++i) {
    runs.push_back(base);
    runs.back().seed = kSeeds[i];
  }
  return runs;
}

// How much the node has decided that has decided most.
uint64_t Decided(const agent::DemoRunResult& result) {
  uint64_t most = 0;
  for (const uint64_t node : result.last.progress) most = std::max(most, node);
  return most;
}

// To choose seeds by: after which call the unsteered run breaks agreement.
TEST(LiveSteeringTest, DISABLED_Survey) {
  std::vector<RunOptions> runs;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    runs.push_back(
        {.bug = "last-response", .seed = seed, .calls_max = 14, .until_violation = true});
  }
  const auto twins = RunAll(runs);
  for (size_t i = 0; i < twins.size(); ++i) {
    ASSERT_TRUE(twins[i].ok()) << twins[i].status();
    if (twins[i]->violated) std::cout << runs[i].seed << ":" << twins[i]->violated->call << " ";
  }
  std::cout << std::endl;
}

TEST(LiveSteeringTest, TheBugIsPredictedBeforeItHappensAndPreventedByEnforcing) {
  const size_t wanted = std::min(RunCount(8), std::size(kSeeds));
  const RunOptions watched{.bug = "last-response", .calls_max = 14, .until_violation = true};
  const auto twins = RunAll(Runs(wanted, watched));
  std::vector<RunOptions> steered;
  for (size_t i = 0; i < wanted; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeeds[i]));
    ASSERT_TRUE(twins[i].ok()) << twins[i].status();
    ASSERT_TRUE(twins[i]->violated);
    ASSERT_FALSE(twins[i]->predicted.empty());
    EXPECT_LE(twins[i]->predicted.front().call, twins[i]->violated->call);
    steered.push_back({.bug = "last-response",
                       .mode = "enforce",
                       .seed = kSeeds[i],
                       .calls_max = twins[i]->calls + 10});
  }
  const auto results = RunAll(steered);
  uint64_t total = 0;
  for (size_t i = 0; i < wanted; ++i) {
    SCOPED_TRACE("seed " + std::to_string(steered[i].seed));
    ASSERT_TRUE(results[i].ok()) << results[i].status();
    EXPECT_FALSE(results[i]->violated) << results[i]->violated->text;
    EXPECT_GE(Decided(*results[i]), std::max<uint64_t>(Decided(*twins[i]), 1));
    total += Decided(*results[i]);
  }
  EXPECT_GE(total, 4 * wanted) << "the clusters keep committing";
}

// Without any search the nodes' own check against the last cut is all there is.
TEST(LiveSteeringTest, TheImmediateCheckAloneHoldsTheLine) {
  const size_t count = std::min<size_t>(RunCount(4), std::size(kSeeds));
  const RunOptions steered{.bug = "last-response",
                           .mode = "enforce",
                           .calls_max = 14,
                           .more = "engines = [\"known\"]\n"};
  uint64_t vetoed = 0;
  for (const auto& result : RunAll(Runs(count, steered))) {
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(result->predicted.empty()) << "nobody searches";
    EXPECT_FALSE(result->violated) << result->violated->text;
    vetoed += result->immediate_vetoed;
  }
  EXPECT_GT(vetoed, 0u);
}

// All that a run shows, but for places and times. What is told again when a minute has gone by
// without it is left out: how long calls take is not up to the seed.
std::string Story(const agent::DemoRunResult& result) {
  std::string story =
      absl::StrCat(result.calls, " calls, ", result.refused, " refused, ", result.vetoed,
                   " vetoed, ", result.last.in_flight, " in flight, decided");
  for (const uint64_t node : result.last.progress) absl::StrAppend(&story, " ", node);
  std::set<std::string> told;
  for (const agent::SeenPrediction& one : result.predicted) {
    if (!told.insert(one.text).second) continue;
    absl::StrAppend(&story, "\nafter call ", one.call, ": ", one.text, "; plan: ", one.plan);
  }
  return story;
}

TEST(LiveSteeringTest, ARunDependsOnItsSeedAndNotOnTheMachine) {
  const RunOptions steered{
      .bug = "last-response", .mode = "enforce", .seed = kSeeds[0], .calls_max = 12};
  const auto runs = RunAll({steered, steered});
  for (const auto& run : runs) ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(Story(*runs[0]), Story(*runs[1]));
  EXPECT_GT(runs[0]->vetoed, 0u);
  EXPECT_FALSE(runs[0]->predicted.empty());
}

}  // namespace
}  // namespace foretell::live
