#include <gtest/gtest.h>

#include <string>

#include "foretell/integration/chord/family.h"
#include "foretell/integration/chord/ring/protocol.h"
#include "foretell/integration/testing/explore_family.h"

namespace foretell::integration::chord::ring {
namespace {

using model::NodeId;

uint64_t StatesOf(const std::string& scenario) {
  return testing::ExploreCorrect(Family(), scenario).states;
}

size_t DepthOf(const std::string& bug, const std::string& scenario,
               const std::string& invariant = "succ-pred") {
  return testing::DepthOf(Family(), bug, scenario, invariant);
}

// That nobody is ever dead in these spaces is judged in tests/overlays_liveness_test.cc.
TEST(ChordRingTest, StabilisesInAFiniteSpaceWithNothingBroken) {
  EXPECT_EQ(StatesOf("ring-3"), 478u);
  EXPECT_EQ(StatesOf("ring-3-sources"), 832u);
  EXPECT_EQ(StatesOf("ring-4"), 19'017u);
}

TEST(ChordRingTest, ANodeThatLosesItsStateLeavesNothingBroken) {
  EXPECT_EQ(StatesOf("ring-2-reset"), 121u);
  EXPECT_EQ(StatesOf("ring-3-reset"), 19'259u);
  EXPECT_EQ(StatesOf("ring-3-source-reset"), 34'455u);
}

// The symptom that the paper steps to: node 0 has a new predecessor and its old successor.
TEST(ChordRingTest, TheSelfLoopShowsAfterFiveSteps) {
  EXPECT_EQ(DepthOf("self-loop", "ring-3"), 5u);
  EXPECT_EQ(DepthOf("self-loop", "ring-2-reset"), 5u);
}

TEST(ChordRingTest, APairOfWhichOneGoesLeavesAnOwnSuccessorWithoutPredecessor) {
  EXPECT_EQ(DepthOf("stuck-pair", "ring-2-reset"), 7u);
}

TEST(ChordRingTest, ALoneNodeHasNoNextHop) {
  EXPECT_EQ(DepthOf("lost-alone", "ring-3", model::kLocalAssertions), 3u);
}

TEST(ChordRingTest, WhoComesBackCanBeToldThatItIsItsOwnSuccessor) {
  EXPECT_EQ(DepthOf("own-successor", "ring-3-reset"), 19u);
}

std::string Refusal(const std::string& scenario, const std::string& bug) {
  const auto system = Family().Make(scenario, bug);
  return system.ok() ? "" : std::string(system.status().message());
}

TEST(ChordRingTest, RefusesBugsThatCannotShow) {
  EXPECT_EQ(Refusal("ring-2-reset", "no-notify"),
            "bug no-notify needs two nodes that join, which scenario ring-2-reset does not have");
  EXPECT_EQ(Refusal("ring-3", "stuck-pair"),
            "bug stuck-pair needs a node that may lose its state, which scenario ring-3 does not "
            "have");
  EXPECT_EQ(Refusal("ring-3-source-reset", "mute-outsider"),
            "bug mute-outsider needs a last node of three that may lose its state, which scenario "
            "ring-3-source-reset does not have");
}

TEST(ChordRingTest, OnlyAResetIsAdverseAndOnlyTimersFireByThemselves) {
  using Origin = model::ActionTiming::Origin;
  const Protocol protocol;
  EXPECT_TRUE(protocol.Timing(Reset{}).adverse);
  EXPECT_EQ(protocol.Timing(Reset{}).origin, Origin::kCall);
  EXPECT_EQ(protocol.Timing(Join{}).origin, Origin::kCall);
  EXPECT_EQ(protocol.Timing(Stabilize{}).origin, Origin::kTimer);
  EXPECT_EQ(protocol.Timing(Retry{}).origin, Origin::kTimer);
  EXPECT_FALSE(protocol.Timing(Stabilize{}).adverse);
}

TEST(ChordRingTest, NamesOfNodesThatDoNotExistAreRefused) {
  const Protocol protocol{.nodes = 2};
  State state = protocol.Initial(NodeId(1));
  EXPECT_TRUE(protocol.Valid(state));
  state.successor = NodeId(2);
  EXPECT_FALSE(protocol.Valid(state));
  EXPECT_TRUE(protocol.Valid(Protocol::Message(GetPredReply{})));
  EXPECT_FALSE(protocol.Valid(Protocol::Message(GetPredReply{NodeId(2)})));
  EXPECT_FALSE(protocol.Valid(Protocol::Message(FindPred{NodeId(2)})));
}

// Live, a peer that crashed says nothing: its streams break.
TEST(ChordRingTest, ABreakIsAsGoodAsAWord) {
  const Protocol protocol;
  State state = protocol.Initial(NodeId(1));
  state.phase = Phase::kMember;
  state.predecessor = NodeId(0);
  state.successor = NodeId(2);
  state.asked = NodeId(2);
  Protocol::Context context(NodeId(1), 3, std::span<const uint32_t>());
  protocol.OnBreak(state, NodeId(2), context);
  EXPECT_EQ(state.successor, NodeId(0));
  EXPECT_FALSE(state.asked.has_value());
}

}  // namespace
}  // namespace foretell::integration::chord::ring
