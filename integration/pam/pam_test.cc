#include <gtest/gtest.h>

#include "foretell/integration/pam/family.h"
#include "foretell/integration/testing/explore_family.h"
#include "foretell/integration/testing/trace_count.h"

namespace foretell::integration::pam {
namespace {

using testing::BfsResult;
using testing::MakeOrDie;
using testing::NaiveBfs;
using testing::TraceCount;

uint64_t StatesOf(const std::string& scenario) {
  return testing::ExploreCorrect(Family(), scenario).states;
}

// The length of a shortest path on which `bug` breaks agreement, and nothing else is broken.
size_t DepthOf(const std::string& bug, const std::string& scenario) {
  const model::System system = MakeOrDie(Family(), scenario, bug);
  BfsResult result = NaiveBfs(system).Run(100'000, /*stop_at_violation=*/true);
  EXPECT_EQ(result.violations.size(), 1u);
  return result.violations["agreement"].size();
}

TEST(PamTest, AgreesWithinTwoBallots) {
  EXPECT_EQ(StatesOf("pam-2"), 61u);
  EXPECT_EQ(StatesOf("one-ballot-3"), 125u);
  EXPECT_EQ(StatesOf("pam-3"), 20'662u);
}

TEST(PamTest, AgreesWithRetries) {
  EXPECT_EQ(StatesOf("three-ballots-2"), 365u);
  EXPECT_EQ(StatesOf("four-ballots-2"), 2'162u);
}

TEST(PamTest, AgreesWithMessagesToItself) { EXPECT_EQ(StatesOf("loopback-2"), 666u); }

TEST(PamTest, ExecutionsAreFewEnoughToEnumerate) {
  EXPECT_EQ(TraceCount(MakeOrDie(Family(), "pam-2")).Run(), 20u);
  EXPECT_EQ(TraceCount(MakeOrDie(Family(), "one-ballot-3")).Run(), 42u);
  EXPECT_EQ(TraceCount(MakeOrDie(Family(), "three-ballots-2")).Run(), 545u);
  EXPECT_EQ(TraceCount(MakeOrDie(Family(), "loopback-2")).Run(), 5'555u);
}

// DEMETER section 5.3: the value that nodes 0 and 1 decided on, then another one by nodes 1 and 2.
TEST(PamTest, AForgetfulAcceptorVotesTwice) {
  EXPECT_EQ(DepthOf("forgets-on-recovery", "recovery-3"), 12u);
  EXPECT_EQ(StatesOf("recovery-3"), 70'438u);
}

// DEMETER section 5.3: the value of the older ballot comes first, and replaces the decided one.
TEST(PamTest, TheFirstValueIsNotTheLatest) {
  EXPECT_EQ(DepthOf("first-value", "stepping-stone-3"), 5u);
  EXPECT_EQ(StatesOf("stepping-stone-3"), 125u);
}

TEST(PamTest, RefusesABugThatCannotShow) {
  const auto system = Family().Make("pam-3", "forgets-on-recovery");
  ASSERT_FALSE(system.ok());
  EXPECT_EQ(std::string(system.status().message()),
            "bug forgets-on-recovery needs a crash, which scenario pam-3 does not have");
}

}  // namespace
}  // namespace foretell::integration::pam
