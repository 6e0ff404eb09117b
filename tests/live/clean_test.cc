// Where nothing is wrong we are silent, whatever the network does.

#include <gtest/gtest.h>

#include <algorithm>

#include "foretell/tests/live/live_run.h"

namespace foretell::live {
namespace {

void ExpectSilence(const RunOptions& base, size_t count) {
  std::vector<RunOptions> runs;
  for (size_t i = 0; i < count; ++i) {
    runs.push_back(base);
    runs.back().seed = 100 + i;
  }
  size_t decided = 0;
  for (const auto& result : RunAll(runs)) {
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(result->predicted.empty()) << result->predicted.front().text;
    EXPECT_FALSE(result->violated) << result->violated->text;
    EXPECT_GT(result->last.rounds, 5u);
    const auto& progress = result->last.progress;
    if (std::any_of(progress.begin(), progress.end(), [](uint64_t n) { return n > 0; })) ++decided;
  }
  EXPECT_GT(decided, count / 2) << "where nothing happens, silence says nothing";
}

// Of a search; more would be silent for longer.
constexpr uint64_t kSteps = 300'000;

TEST(LiveCleanTest, CorrectPaxos) {
  ExpectSilence({.calls_max = 15, .steps_max = kSteps}, RunCount(8));
}

TEST(LiveCleanTest, CorrectOnePaxos) {
  ExpectSilence({.service = "onepaxos", .call = "Start", .calls_max = 16, .steps_max = kSteps},
                RunCount(8));
}

TEST(LiveCleanTest, TheOnePaxosBugIsPredicted) {
  const auto result =
      RunOne({.service = "onepaxos", .bug = "plus-plus", .call = "Start", .calls_max = 10});
  ASSERT_TRUE(result.ok()) << result.status();
  // That nobody may ever decide, if messages are lost, can be told before.
  const auto told = std::find_if(result->predicted.begin(), result->predicted.end(),
                                 [](const auto& one) { return one.invariant == "agreement"; });
  ASSERT_NE(told, result->predicted.end());
  const uint32_t happened = result->violated ? result->violated->call : UINT32_MAX;
  EXPECT_LE(told->call, happened);
}

}  // namespace
}  // namespace foretell::live
