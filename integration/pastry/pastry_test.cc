#include <gtest/gtest.h>

#include "foretell/integration/pastry/family.h"
#include "foretell/integration/pastry/protocol.h"
#include "foretell/integration/testing/explore_family.h"

namespace foretell::integration::pastry {
namespace {

using testing::BfsResult;

BfsResult ExploreCorrect(const std::string& scenario) {
  return testing::ExploreCorrect(Family(), scenario);
}

size_t DepthOf(const std::string& bug, const std::string& scenario) {
  return testing::DepthOf(Family(), bug, scenario, "acquainted");
}

TEST(PastryTest, DigitsComeFromTheFront) {
  EXPECT_EQ(Digit(9, 0), 2u);
  EXPECT_EQ(Digit(9, 1), 1u);
  EXPECT_EQ(SharedDigits(9, 11), 1u);
  EXPECT_EQ(SharedDigits(9, 5), 0u);
}

TEST(PastryTest, TwoThatHaveJoinedKnowEachOther) {
  EXPECT_EQ(ExploreCorrect("pastry-2").states, 576u);
}

TEST(PastryTest, OfThreeAnyTwoThatHaveJoinedKnowEachOther) {
  EXPECT_EQ(ExploreCorrect("pastry-3").states, 25'219u);
}

TEST(PastryTest, EverybodyKnowsEverybodyInTheEnd) {
  for (const bool first : {true, false}) {
    const std::vector<State> states = testing::Finish<State>(Family(), "pastry-3-wide", first);
    for (const State& state : states) {
      EXPECT_EQ(state.phase, Phase::kActive);
      EXPECT_EQ(state.leaves.size(), 2u);
    }
  }
}

// A request of node 2 at node 0, which knows node 1, goes on to node 1: they share a digit.
TEST(PastryTest, RoutesTowardsTheLongerPrefix) {
  const Protocol protocol{.nodes = 3};
  State state = protocol.Initial(model::NodeId(0));
  Protocol::Context context(model::NodeId(0), 3, std::span<const uint32_t>());
  state.leaves.insert(model::NodeId(1));
  protocol.OnMessage(state, model::NodeId(2), JoinRequest{model::NodeId(2)}, context);
  const std::vector<model::Send> sends = context.Take().sends;
  ASSERT_EQ(sends.size(), 2u);
  EXPECT_EQ(sends[0].to, model::NodeId(2));
  EXPECT_EQ(sends[0].body, model::Encode(Protocol::Message(TableRow{{model::NodeId(0)}})));
  EXPECT_EQ(sends[1].to, model::NodeId(1));
  EXPECT_EQ(sends[1].body, model::Encode(Protocol::Message(JoinRequest{model::NodeId(2)})));
}

TEST(PastryTest, BareAcksLeaveTwoThatJoinTogetherStrangers) {
  EXPECT_EQ(DepthOf("bare-ack", "pastry-3"), 10u);
}

TEST(PastryTest, HastyNodesAreStrangersToTheFirst) {
  EXPECT_EQ(DepthOf("hasty", "pastry-2"), 4u);
  EXPECT_EQ(DepthOf("hasty", "pastry-3"), 4u);
}

TEST(PastryTest, RefusesABugThatCannotShow) {
  const auto system = Family().Make("pastry-2", "bare-ack");
  ASSERT_FALSE(system.ok());
  EXPECT_EQ(std::string(system.status().message()),
            "bug bare-ack needs two nodes that join, which scenario pastry-2 does not have");
}

}  // namespace
}  // namespace foretell::integration::pastry
