// libraft under the agent, on real processes: an acknowledged write is lost, its loss is seen,
// and where the agent may steer it does not happen.

#include <gtest/gtest.h>

#include "foretell/agent/demo/raft_demo.h"
#include "foretell/tests/live/live_run.h"

namespace foretell::live {
namespace {

absl::StatusOr<agent::RaftDemoResult> RunOne(const std::string& mode, uint64_t seed,
                                             const std::string& off = "") {
  RunFolder folder;
  return agent::RaftDemo::Run(
      {.program = FORETELL_PROGRAM,
       .folder = folder.path(),
       .seed = seed,
       .mode = mode,
       .off = off,
       .tell = [](const std::string& line) { std::cout << "  " << line << std::endl; }});
}

TEST(LiveRaftTest, WithoutAnAgentAnAcknowledgedWriteIsLost) {
  const auto result = RunOne("", 1);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->acknowledged);
  EXPECT_TRUE(result->lost);
  EXPECT_TRUE(result->goes_on);
}

// Without the early warning, which would be the first to be found.
TEST(LiveRaftTest, TheLossIsPredictedBeforeItHappens) {
  const auto result = RunOne("observe", 1, "match-is-held");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->lost);
  EXPECT_TRUE(result->predicted.contains("committed-on-a-majority"));
  EXPECT_EQ(result->vetoed, 0u);
}

TEST(LiveRaftTest, SteeredNothingIsLostAndTheClusterGoesOn) {
  for (uint64_t seed = 1; seed <= RunCount(2); ++seed) {
    const auto result = RunOne("enforce", seed);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_FALSE(result->lost);
    EXPECT_TRUE(result->goes_on);
    EXPECT_FALSE(result->predicted.empty());
    EXPECT_GT(result->vetoed, 0u);
  }
}

}  // namespace
}  // namespace foretell::live
