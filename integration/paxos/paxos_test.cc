#include <gtest/gtest.h>

#include "foretell/integration/paxos/family.h"
#include "foretell/integration/testing/explore_family.h"

namespace foretell::integration::paxos {
namespace {

using testing::BfsResult;
using testing::MakeOrDie;

BfsResult ExploreCorrect(const std::string& scenario) {
  return testing::ExploreCorrect(Family(), scenario);
}

size_t DepthOf(const std::string& bug, const std::string& scenario) {
  return testing::DepthOf(Family(), bug, scenario, "agreement");
}

// The counts are those of the prototype and of SPIN for the same protocol.
TEST(PaxosTest, OneProposalHasTheKnownStateSpace) {
  const BfsResult result = ExploreCorrect("one-proposal");
  EXPECT_EQ(result.states, 7'068u);
  EXPECT_EQ(result.transitions, 37'012u);
}

TEST(PaxosTest, LastResponseDisagreesWhereOnlyOneLearned) {
  EXPECT_EQ(DepthOf("last-response", "learned-by-one"), 9u);
  EXPECT_EQ(ExploreCorrect("learned-by-one").states, 7'068u);
}

TEST(PaxosTest, ForgottenPromiseLetsASecondValueThrough) {
  EXPECT_EQ(DepthOf("forgets-promise", "restart"), 11u);
  EXPECT_EQ(ExploreCorrect("restart").states, 35'620u);
}

TEST(PaxosTest, FirstValueOverridesTheChosenOne) {
  EXPECT_EQ(DepthOf("first-value", "stepping-stone"), 9u);
  EXPECT_EQ(ExploreCorrect("stepping-stone").states, 7'068u);
}

TEST(PaxosTest, RefusesABugThatCannotShow) {
  const auto system = Family().Make("one-proposal", "forgets-promise");
  ASSERT_FALSE(system.ok());
  EXPECT_EQ(std::string(system.status().message()),
            "bug forgets-promise needs a crash, which scenario one-proposal does not have");
}

TEST(PaxosTest, RendersStatesForPeople) {
  const model::System system = MakeOrDie(Family(), "learned-by-one");
  const auto fields = system.service->RenderState(model::NodeId(0), system.start.nodes[0].body);
  const model::Field phase{"log.decrees[0].proposer.phase", "accepting"};
  const model::Field promised{"log.decrees[0].proposer.promised_by", "{0 1}"};
  EXPECT_NE(std::find(fields.begin(), fields.end(), phase), fields.end());
  EXPECT_NE(std::find(fields.begin(), fields.end(), promised), fields.end());
}

}  // namespace
}  // namespace foretell::integration::paxos
