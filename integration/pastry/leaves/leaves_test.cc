#include <gtest/gtest.h>

#include <span>
#include <string>

#include "foretell/integration/pastry/family.h"
#include "foretell/integration/pastry/leaves/ids.h"
#include "foretell/integration/pastry/leaves/protocol.h"
#include "foretell/integration/testing/explore_family.h"

namespace foretell::integration::pastry::leaves {
namespace {

using model::NodeId;

uint64_t StatesOf(const std::string& scenario) {
  return testing::ExploreCorrect(Family(), scenario).states;
}

size_t DepthOf(const std::string& bug, const std::string& scenario, const std::string& invariant) {
  return testing::DepthOf(Family(), bug, scenario, invariant);
}

TEST(PastryLeavesTest, NodesAreOnARing) {
  EXPECT_EQ(Clockwise(NodeId(0), NodeId(1)), 7u);
  EXPECT_EQ(Clockwise(NodeId(1), NodeId(2)), 2u);
  EXPECT_EQ(Clockwise(NodeId(2), NodeId(0)), 7u);
}

// That nobody is ever dead in these spaces is judged in tests/overlays_liveness_test.cc.
TEST(PastryLeavesTest, GoesOnForEverInAFiniteSpaceWithNothingBroken) {
  EXPECT_EQ(StatesOf("leaves-2"), 19u);
  EXPECT_EQ(StatesOf("leaves-3"), 2'298u);
}

TEST(PastryLeavesTest, ANodeThatLosesItsStateLeavesNothingBroken) {
  EXPECT_EQ(StatesOf("leaves-2-reset"), 291u);
  EXPECT_EQ(StatesOf("leaves-2-idle"), 191u);
  EXPECT_EQ(StatesOf("leaves-2-first-reset"), 452u);
}

TEST(PastryLeavesTest, WhoIsRemovedByHalfIsMissedInTheSum) {
  EXPECT_EQ(DepthOf("half-removed", "leaves-2-reset", "size-match"), 7u);
  EXPECT_EQ(DepthOf("half-removed", "leaves-2-idle", "size-match"), 10u);
}

TEST(PastryLeavesTest, ALeafOnBothSidesIsFound) {
  EXPECT_EQ(DepthOf("both-sides", "leaves-2", "one-side"), 5u);
  EXPECT_EQ(DepthOf("both-sides", "leaves-3", "one-side"), 4u);
}

std::string Refusal(const std::string& scenario, const std::string& bug) {
  const auto system = Family().Make(scenario, bug);
  return system.ok() ? "" : std::string(system.status().message());
}

TEST(PastryLeavesTest, RefusesBugsThatCannotShow) {
  EXPECT_EQ(Refusal("leaves-2", "no-merge"),
            "bug no-merge needs two nodes that join, which scenario leaves-2 does not have");
  EXPECT_EQ(Refusal("leaves-3", "half-removed"),
            "bug half-removed needs a node that may lose its state, which scenario leaves-3 does "
            "not have");
  EXPECT_EQ(Refusal("leaves-2-reset", "rejoin"),
            "bug rejoin needs a node that loses its state unnoticed, which scenario leaves-2-reset "
            "does not have");
  EXPECT_EQ(Refusal("leaves-2-reset", "no-recovery"),
            "bug no-recovery needs a first node that may lose its state, which scenario "
            "leaves-2-reset does not have");
}

// What a handler did to a node, and what it sent.
struct Outcome {
  State state;
  std::vector<model::Send> sends;
};

Outcome Receive(const Protocol& protocol, NodeId node, State state, NodeId from,
                const Protocol::Message& message) {
  Protocol::Context context(node, protocol.nodes, std::span<const uint32_t>());
  protocol.OnMessage(state, from, message, context);
  return {state, context.Take().sends};
}

model::Send To(uint32_t node, const Protocol::Message& message) {
  return {NodeId(node), model::Encode(message)};
}

// The closest node to the joiner is the joiner itself, whom node 0 knows from its former life.
TEST(PastryLeavesTest, TheJoinOfAKnownNodeIsPassedOnToItself) {
  const Protocol protocol{.nodes = 3};
  State member = protocol.Initial(NodeId(0));
  member.phase = Phase::kMember;
  member.leaves = member.right = {NodeId(1)};
  const Outcome known = Receive(protocol, NodeId(0), member, NodeId(1), JoinRequest{NodeId(1)});
  EXPECT_EQ(known.sends, std::vector{To(1, JoinRequest{NodeId(1)})});

  State joining = protocol.Initial(NodeId(1));
  joining.phase = Phase::kJoining;
  joining.waiting = true;
  const Outcome back = Receive(protocol, NodeId(1), joining, NodeId(0), JoinRequest{NodeId(1)});
  EXPECT_EQ(back.sends, std::vector{To(0, Remove{NodeId(1)})});
  EXPECT_FALSE(back.state.waiting);

  const Outcome removed = Receive(protocol, NodeId(0), member, NodeId(1), Remove{NodeId(1)});
  EXPECT_TRUE(removed.state.leaves.empty());
  EXPECT_TRUE(removed.sends.empty());
}

// Node 2 is closer to node 1 than to node 0, so that its join goes there; and comes back.
TEST(PastryLeavesTest, TheJoinOfAnotherIsPlacedAgain) {
  const Protocol protocol{.nodes = 3};
  State member = protocol.Initial(NodeId(0));
  member.phase = Phase::kMember;
  member.leaves = member.right = {NodeId(1)};
  const Outcome passed = Receive(protocol, NodeId(0), member, NodeId(2), JoinRequest{NodeId(2)});
  EXPECT_EQ(passed.sends, std::vector{To(1, JoinRequest{NodeId(2)})});
  const Outcome removed = Receive(protocol, NodeId(0), member, NodeId(1), Remove{NodeId(2)});
  EXPECT_EQ(removed.sends, std::vector{To(2, LeafsetInfo{})});
}

TEST(PastryLeavesTest, OnlyAResetIsAdverseAndOnlyTimersFireByThemselves) {
  using Origin = model::ActionTiming::Origin;
  const Protocol protocol;
  EXPECT_TRUE(protocol.Timing(Reset{}).adverse);
  EXPECT_EQ(protocol.Timing(Reset{}).origin, Origin::kCall);
  EXPECT_EQ(protocol.Timing(Join{}).origin, Origin::kCall);
  EXPECT_EQ(protocol.Timing(Maintain{}).origin, Origin::kTimer);
  EXPECT_EQ(protocol.Timing(Retry{}).origin, Origin::kTimer);
  EXPECT_EQ(protocol.Timing(Recover{}).origin, Origin::kTimer);
  EXPECT_FALSE(protocol.Timing(Maintain{}).adverse);
}

TEST(PastryLeavesTest, NamesOfNodesThatDoNotExistAreRefused) {
  const Protocol protocol{.nodes = 2};
  State state = protocol.Initial(NodeId(1));
  EXPECT_TRUE(protocol.Valid(state));
  state.leaves.insert(NodeId(2));
  EXPECT_FALSE(protocol.Valid(state));
  EXPECT_TRUE(protocol.Valid(Protocol::Message(LeafsetInfo{{NodeId(1)}})));
  EXPECT_FALSE(protocol.Valid(Protocol::Message(LeafsetInfo{{NodeId(2)}})));
  EXPECT_FALSE(protocol.Valid(Protocol::Message(JoinRequest{NodeId(2)})));
}

}  // namespace
}  // namespace foretell::integration::pastry::leaves
