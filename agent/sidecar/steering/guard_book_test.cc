#include "foretell/agent/sidecar/steering/guard_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/predictors/testing/holder_protocol.h"

namespace foretell::agent {
namespace {

using model::NodeId;
using predictors::testing::HolderProtocol;
using predictors::testing::MakeHolders;
using snapshot::GuardView;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class GuardBookTest : public ::testing::Test {
 protected:
  // What one-holder sees of a node.
  GuardView View(bool holds) const {
    HolderProtocol::State state;
    state.holds = holds;
    return {system_.service->Project(0, NodeId(0), model::Encode(state))};
  }
  snapshot::GuardStep Step(uint64_t number, uint64_t base, bool holds) const {
    return {number, base, false, {View(holds)}, "an event"};
  }
  void JoinAll(GuardBook& book) const {
    for (uint32_t n = 0; n < 3; ++n) {
      EXPECT_THAT(book.Joining(NodeId(n)), IsEmpty());
      EXPECT_THAT(book.Joined(NodeId(n), {0, {View(false)}}), IsEmpty());
    }
  }
  static bool Granted(const GuardBook::Decisions& decisions) {
    EXPECT_THAT(decisions, SizeIs(1));
    return decisions.size() == 1 && decisions[0].answer.granted;
  }

  const model::System system_ = MakeHolders({.nodes = 3, .stable = false});
  const model::System keepers_ = MakeHolders({.nodes = 3, .stable = true});
};

TEST_F(GuardBookTest, GrantsOneOfTwoAndSaysWhyNotTheOther) {
  GuardBook book(*system_.service, {{0}, "p-"});
  JoinAll(book);
  EXPECT_TRUE(book.complete());
  EXPECT_TRUE(Granted(book.Ask(NodeId(0), Step(1, 0, true))));
  // Node 0 may have taken it, or not: until it says, node 1 waits, and then is refused.
  EXPECT_THAT(book.Ask(NodeId(1), Step(1, 0, true)), IsEmpty());
  const auto decisions = book.Settled(NodeId(0), {1, 1});
  EXPECT_FALSE(Granted(decisions));
  EXPECT_EQ(decisions[0].answer.decision, "p-g1");
  EXPECT_EQ(decisions[0].answer.invariant, "one-holder");
  EXPECT_EQ(decisions[0].reason, "would break one-holder with node 0");
}

TEST_F(GuardBookTest, WhatAnotherNodeGaveUpCanBeTaken) {
  GuardBook book(*system_.service, {{0}, ""});
  JoinAll(book);
  EXPECT_TRUE(Granted(book.Ask(NodeId(0), Step(1, 0, true))));
  EXPECT_TRUE(Granted(book.Ask(NodeId(0), Step(2, 1, false))));
  EXPECT_THAT(book.Ask(NodeId(1), Step(1, 0, true)), IsEmpty()) << "it may hold it still";
  EXPECT_THAT(book.Settled(NodeId(0), {1, 1}), IsEmpty());
  EXPECT_TRUE(Granted(book.Settled(NodeId(0), {2, 2})));
}

TEST_F(GuardBookTest, WhoHasWaitedForHalfTheHoldIsRefused) {
  GuardBook book(*system_.service, {{0}, ""});
  JoinAll(book);
  EXPECT_TRUE(Granted(book.Ask(NodeId(0), Step(1, 0, true))));
  EXPECT_THAT(book.Ask(NodeId(1), Step(1, 0, true)), IsEmpty());
  EXPECT_FALSE(Granted(book.Overdue(NodeId(1), 1)));
  EXPECT_THAT(book.Overdue(NodeId(1), 1), IsEmpty()) << "answered once";
}

TEST_F(GuardBookTest, AStepThatFollowsARefusedOneIsVoid) {
  GuardBook book(*system_.service, {{0}, ""});
  JoinAll(book);
  EXPECT_TRUE(Granted(book.Ask(NodeId(0), Step(1, 0, true))));
  book.Settled(NodeId(0), {1, 1});
  EXPECT_FALSE(Granted(book.Ask(NodeId(1), Step(1, 0, true))));
  const auto after = book.Ask(NodeId(1), Step(2, 1, false));
  EXPECT_FALSE(Granted(after));
  EXPECT_EQ(after[0].answer.decision, "") << "it is no decision of its own";
  EXPECT_TRUE(Granted(book.Ask(NodeId(1), Step(3, 0, false))));
  EXPECT_EQ(book.refused(), 1u);
}

TEST_F(GuardBookTest, WhatACrashWouldLeaveCountsAsWell) {
  GuardBook book(*system_.service, {{0}, ""});
  JoinAll(book);
  EXPECT_TRUE(Granted(book.Ask(NodeId(0), {1, 0, false, {View(false), View(true)}, "release"})));
  book.Settled(NodeId(0), {1, 1});
  EXPECT_FALSE(Granted(book.Ask(NodeId(1), Step(1, 0, true))));
}

TEST_F(GuardBookTest, ALostNodeCountsOnOnlyIfWhatItShowedIsForGood) {
  for (const auto* system : {&system_, &keepers_}) {
    GuardBook book(*system->service, {{0}, ""});
    JoinAll(book);
    EXPECT_TRUE(Granted(book.Ask(NodeId(0), Step(1, 0, true))));
    book.Settled(NodeId(0), {1, 1});
    book.Lost(NodeId(0));
    EXPECT_FALSE(book.complete());
    EXPECT_EQ(Granted(book.Ask(NodeId(1), Step(1, 0, true))), system == &system_);
  }
}

TEST_F(GuardBookTest, StepsThatAreHereBeforeTheViewsWaitForThem) {
  GuardBook book(*system_.service, {{0}, ""});
  JoinAll(book);
  EXPECT_TRUE(Granted(book.Ask(NodeId(0), Step(1, 0, true))));
  book.Settled(NodeId(0), {1, 1});
  book.Joining(NodeId(1));
  EXPECT_THAT(book.Ask(NodeId(1), Step(5, 4, true)), IsEmpty());
  EXPECT_THAT(book.Overdue(NodeId(1), 5), IsEmpty());
  EXPECT_FALSE(Granted(book.Joined(NodeId(1), {4, {View(false)}})));
}

TEST_F(GuardBookTest, WhatWasBrokenBeforeIsNobodysFault) {
  GuardBook book(*system_.service, {{0}, ""});
  JoinAll(book);
  book.Joined(NodeId(0), {0, {View(true)}});
  book.Joined(NodeId(1), {0, {View(true)}});
  EXPECT_THAT(book.Broken(0), ElementsAre(0, 1));
  EXPECT_FALSE(book.safe(0));
  EXPECT_TRUE(Granted(book.Ask(NodeId(1), Step(1, 0, false))));
}

TEST_F(GuardBookTest, ANodeThatIsNotUnderstoodIsNotStopped) {
  GuardBook book(*system_.service, {{0}, ""});
  JoinAll(book);
  EXPECT_TRUE(Granted(book.Ask(NodeId(0), {1, 0, false, {{}}, "no views"})));
  EXPECT_FALSE(book.guarded(NodeId(0)));
  book.Joined(NodeId(2), {0, {}});
  EXPECT_FALSE(book.guarded(NodeId(2)));
}

}  // namespace
}  // namespace foretell::agent
