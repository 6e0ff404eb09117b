#include <gtest/gtest.h>

#include "foretell/integration/register/family.h"
#include "foretell/integration/testing/explore_family.h"

namespace foretell::integration::registers {
namespace {

using model::NodeId;
using testing::DepthOf;
using testing::ExploreCorrect;
using testing::Finish;

// How many messages the handler of `message` at `node` sends.
size_t Handle(const Protocol& protocol, State& state, NodeId node, NodeId from,
              const Protocol::Message& message) {
  Protocol::Context context(node, protocol.node_count(), std::span<const uint32_t>());
  protocol.OnMessage(state, from, message, context);
  return context.Take().sends.size();
}

TEST(RegisterTest, AnObjectKeepsTheHighestAndAcknowledgesAll) {
  State state;
  EXPECT_EQ(Handle({}, state, NodeId(1), kClient, Write{2}), 1u);
  EXPECT_EQ(Handle({}, state, NodeId(1), kClient, Write{1}), 1u);
  EXPECT_EQ(state.ts, 2u);
}

TEST(RegisterTest, AWriteIsOverAtTheMajorityAndLateAnswersAreOfNoUse) {
  State state;
  state.writer.ts = 1;
  Handle({}, state, kClient, NodeId(1), Ack{1});
  EXPECT_EQ(state.writer.finished, 0u);
  Handle({}, state, kClient, NodeId(1), Ack{1});
  EXPECT_EQ(state.writer.finished, 0u) << "the same object twice";
  Handle({}, state, kClient, NodeId(2), Ack{1});
  EXPECT_EQ(state.writer.finished, 1u);
  Handle({}, state, kClient, NodeId(3), Ack{1});
  EXPECT_TRUE(state.writer.got.empty());
}

TEST(RegisterTest, AReadReturnsTheHighestOfAMajority) {
  State state;
  state.reader = {.number = 1, .reads = true};
  Handle({}, state, kClient, NodeId(3), Repl{1, 2});
  Handle({}, state, kClient, NodeId(2), Repl{1, 0});
  EXPECT_FALSE(state.reader.reads);
  EXPECT_EQ(state.reader.best, 2u);
  Handle({}, state, kClient, NodeId(1), Repl{1, 9});
  EXPECT_EQ(state.reader.best, 2u);
}

TEST(RegisterTest, OneWriteAndOneReadHaveTheLabsStates) {
  EXPECT_EQ(ExploreCorrect(Family(), "register-5,writes=1").states, 2'255u);
}

TEST(RegisterTest, TwoReadsAreRegularOneByOne) {
  EXPECT_EQ(ExploreCorrect(Family(), "register-5,writes=1,reads=2").states, 22'914u);
}

TEST(RegisterTest, EveryRunReadsSomethingAndWritesEverything) {
  for (const bool first : {true, false}) {
    const State client = Finish<State>(Family(), "register-6", first)[0];
    EXPECT_EQ(client.writer.finished, 2u);
    EXPECT_FALSE(client.reader.reads);
  }
}

TEST(RegisterTest, BugsBreakRegularity) {
  EXPECT_EQ(DepthOf(Family(), "wrong-regularity", "register-5", "regularity"), 10u);
  EXPECT_EQ(DepthOf(Family(), "hasty-reader", "register-5,writes=1", "regularity"), 8u);
}

}  // namespace
}  // namespace foretell::integration::registers
