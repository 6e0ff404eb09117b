// The stale SYN of MaceMC section 5 under the agent, on real processes: it is foreseen, without
// steering nothing is ever delivered again, and with it everything is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "foretell/agent/demo/transport_demo.h"
#include "foretell/snapshot/archive/bundle.h"
#include "foretell/tests/live/live_run.h"

namespace foretell::live {
namespace {

using testing::HasSubstr;

absl::StatusOr<agent::TransportDemoResult> RunOne(const std::string& mode, uint64_t seed,
                                                  const RunFolder& folder) {
  return agent::TransportDemo::Run(
      {.program = FORETELL_PROGRAM,
       .folder = folder.path(),
       .seed = seed,
       .mode = mode,
       .agent_config = "[bundles]\npath = \"" + folder.path() + "\"\n",
       .tell = [](const std::string& line) { std::cout << "  " << line << std::endl; }});
}

TEST(LiveTransportTest, TheStaleSynIsForeseenAndThenDeathIsProved) {
  const RunFolder folder;
  const auto result = RunOne("observe", 1, folder);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_TRUE(result->predicted);
  EXPECT_THAT(result->predicted->text, HasSubstr("all-acked can die"));
  EXPECT_TRUE(result->dead);
  EXPECT_EQ(result->submitted, 1u);
  EXPECT_EQ(result->delivered, 0u);
  EXPECT_EQ(result->vetoed, 0u);
  const auto foreseen = snapshot::ReadBundle(result->predicted->bundle);
  ASSERT_TRUE(foreseen.ok()) << foreseen.status();
  ASSERT_NE(foreseen->death, nullptr);
  EXPECT_EQ(foreseen->death->critical_step, foreseen->path.size());
  EXPECT_FALSE(foreseen->death->twin.empty());
  const auto dead = snapshot::ReadBundle(result->dead_bundle);
  ASSERT_TRUE(dead.ok()) << dead.status();
  ASSERT_NE(dead->death, nullptr);
  EXPECT_EQ(dead->death->critical_step, 0u);
}

TEST(LiveTransportTest, SteeredEverythingIsDelivered) {
  for (uint64_t seed = 1; seed <= RunCount(2); ++seed) {
    const RunFolder folder;
    const auto result = RunOne("enforce", seed, folder);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(result->predicted);
    EXPECT_FALSE(result->dead);
    EXPECT_EQ(result->submitted, 3u);
    EXPECT_EQ(result->delivered, 3u);
    EXPECT_GT(result->vetoed, 0u);
  }
}

}  // namespace
}  // namespace foretell::live
