// A replicated register under the agent, on real processes: a read that misses a write is foreseen,
// happens where nobody steers, and does not where somebody may.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "foretell/agent/demo/register_demo.h"
#include "foretell/tests/live/live_run.h"

namespace foretell::live {
namespace {

absl::StatusOr<agent::RegisterDemoResult> RunOne(const std::string& mode,
                                                 const std::string& bug = "hasty-reader") {
  const RunFolder folder;
  return agent::RegisterDemo::Run(
      {.program = FORETELL_PROGRAM,
       .folder = folder.path(),
       .bug = bug,
       .mode = mode,
       .tell = [](const std::string& line) { std::cout << "  " << line << std::endl; }});
}

TEST(LiveRegisterTest, AReadThatMissesAWriteIsForeseenAndThenHappens) {
  const auto result = RunOne("observe");
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_TRUE(result->predicted);
  EXPECT_THAT(result->predicted->text, testing::HasSubstr("regularity"));
  EXPECT_EQ(result->reads, 2u);
  EXPECT_EQ(result->stale, 1u);
  EXPECT_EQ(result->vetoed, 0u);
}

TEST(LiveRegisterTest, SteeredNoReadMissesAWriteAndTheRegisterGoesOn) {
  const auto result = RunOne("enforce");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->predicted);
  EXPECT_EQ(result->stale, 0u);
  EXPECT_EQ(result->refused, 1u);
  EXPECT_EQ(result->reads, 1u);
  EXPECT_GT(result->vetoed, 0u);
}

// Writes and reads of an application, and nothing to say of them.
TEST(LiveRegisterTest, ACorrectRegisterIsLeftInPeace) {
  const auto result = RunOne("enforce", "");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->predicted) << result->predicted->text;
  EXPECT_EQ(result->reads, 2u);
  EXPECT_EQ(result->stale, 0u);
  EXPECT_EQ(result->refused, 0u);
  EXPECT_EQ(result->vetoed, 0u);
}

}  // namespace
}  // namespace foretell::live
