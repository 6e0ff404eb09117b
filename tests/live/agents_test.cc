// Several agents at one cluster, and one that comes back: on real processes, in a moment that
// stands still. A transaction has begun, its participants are in doubt, and their timers would
// split it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "absl/strings/str_cat.h"
#include "foretell/tests/live/commit_run.h"

namespace foretell::live {
namespace {

using std::chrono_literals::operator""ms;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class LiveAgentsTest : public testing::Test {
 protected:
  // Messages take 40 ms: the participants have heard, and the coordinator has not.
  void SetUp() override {
    ASSERT_NE(cluster_.nodes, nullptr);
    ASSERT_THAT(cluster_.Begin(), HasSubstr("ok"));
    ASSERT_TRUE(cluster_.clock->Pass(50ms).ok());
  }
  std::unique_ptr<LiveAgent> Start(const RunFolder& folder, const std::string& name,
                                   const std::string& mode) {
    return std::make_unique<LiveAgent>(
        folder.path(),
        cluster_.nodes->AgentConfig(absl::StrCat(
            "[rounds]\nperiod = \"100ms\"\nbudget = \"10m\"\nsteps_max = 100000\n",
            "collect_timeout = \"10m\"\ncpu_max = 64\n[veto]\nlease = \"1h\"\n[agent]\nname = \"",
            name, "\"\n[invariants]\natomic = \"", mode, "\"\n")));
  }
  // The votes arrive, and the timers would be due.
  void ExpectAllCommit() {
    EXPECT_TRUE(cluster_.clock->Pass(400ms).ok());
    EXPECT_THAT(cluster_.Fates(), Each(ElementsAre("committed")));
  }

  CommitCluster cluster_{{.bug = "impatient", .delay = "40ms..40ms"}};
  const RunFolder one_;
  const RunFolder other_;
};

TEST_F(LiveAgentsTest, EachSeesTheOtherAndBothAreObeyed) {
  const auto alpha = Start(one_, "alpha", "enforce");
  ASSERT_TRUE(alpha->WaitForLog("veto applied (enforce)")) << alpha->log();
  const auto beta = Start(other_, "beta", "shadow");
  EXPECT_TRUE(beta->WaitForLog("another agent, 'alpha', enforces atomic since")) << beta->log();
  EXPECT_TRUE(beta->WaitForLog("veto applied (shadow)")) << beta->log();
  EXPECT_TRUE(alpha->WaitForLog("another agent, 'beta', shadows atomic since")) << alpha->log();
  // What beta only shadows alpha enforces.
  EXPECT_TRUE(alpha->WaitForRounds(2));
  ExpectAllCommit();
}

TEST_F(LiveAgentsTest, AnAgentThatComesBackTakesOverWhatItLeft) {
  auto first = Start(one_, "alpha", "enforce");
  ASSERT_TRUE(first->WaitForLog("veto applied (enforce)")) << first->log();
  ASSERT_TRUE(first->WaitForRounds(2));
  first->process().Signal(SIGKILL);
  first.reset();
  const auto second = Start(other_, "alpha", "enforce");
  EXPECT_TRUE(second->WaitForLog("an earlier life of this agent has left 3 vetoes in force"))
      << second->log();
  EXPECT_TRUE(second->WaitForLog("veto taken over (enforce)")) << second->log();
  EXPECT_TRUE(second->WaitForRounds(2));
  EXPECT_THAT(second->log(), Not(HasSubstr("veto applied"))) << "they are the same vetoes";
  ExpectAllCommit();
}

TEST_F(LiveAgentsTest, WhatItMayNotVetoAnyMoreIsLeftToEnd) {
  auto first = Start(one_, "alpha", "enforce");
  ASSERT_TRUE(first->WaitForLog("veto applied (enforce)")) << first->log();
  ASSERT_TRUE(first->WaitForRounds(2));
  first->process().Signal(SIGKILL);
  first.reset();
  const auto second = Start(other_, "alpha", "observe");
  EXPECT_TRUE(second->WaitForLog("an earlier life of this agent has left 3 vetoes in force"))
      << second->log();
  EXPECT_TRUE(second->WaitForRounds(2));
  EXPECT_THAT(second->log(), Not(HasSubstr("taken over")));
}

}  // namespace
}  // namespace foretell::live
