#include <gtest/gtest.h>

#include "foretell/integration/testing/explore_family.h"
#include "foretell/integration/transport/family.h"
#include "foretell/integration/transport/protocol.h"

namespace foretell::integration::transport {
namespace {

using testing::DepthOf;

// What a handler of `node` sends in answer to `message`.
std::vector<std::string> Answers(const Protocol& protocol, State& state, model::NodeId node,
                                 const Protocol::Message& message) {
  const auto service = model::MakeService(protocol);
  Protocol::Context context(node, 2, std::span<const uint32_t>());
  protocol.OnMessage(state, model::NodeId(1 - node.value()), message, context);
  std::vector<std::string> answers;
  for (const model::Send& send : context.Take().sends) {
    answers.push_back(service->RenderMessage(send.body));
  }
  return answers;
}

using Texts = std::vector<std::string>;

TEST(TransportTest, SequenceNumbersAreThePapers) {
  EXPECT_EQ(FirstSeq(1), 2'001u);
  EXPECT_EQ(FirstSeq(2), 6'001u);
}

TEST(TransportTest, AStaleSynIsResetAndANewerOneOpens) {
  const Protocol protocol;
  State state;
  EXPECT_EQ(Answers(protocol, state, kReceiver, Data{6'001, 2, 1}), Texts{"Ack(seq=6001)"});
  EXPECT_EQ(Answers(protocol, state, kReceiver, Data{2'001, 1, 1}),
            Texts{"Reset(syn=1, seq=2001)"});
  EXPECT_EQ(state.receiver.connection, 2u);
  EXPECT_EQ(Answers(protocol, state, kReceiver, Data{10'001, 3, 1}), Texts{"Ack(seq=10001)"});
  EXPECT_EQ(state.receiver.connection, 3u);
}

TEST(TransportTest, EarlyPacketsWaitForTheirTurn) {
  const Protocol protocol{.window_max = 3};
  State state;
  Answers(protocol, state, kReceiver, Data{2'001, 1, 1});
  EXPECT_EQ(Answers(protocol, state, kReceiver, Data{2'004, 0, 4}), Texts{"Ack(seq=2001)"});
  EXPECT_EQ(Answers(protocol, state, kReceiver, Data{2'003, 0, 3}), Texts{"Ack(seq=2001)"});
  EXPECT_EQ(Answers(protocol, state, kReceiver, Data{2'002, 0, 2}), Texts{"Ack(seq=2004)"});
  EXPECT_TRUE(state.receiver.in_order);
  EXPECT_TRUE(state.receiver.buffered.empty());
}

TEST(TransportTest, TheThirdPacketThatIsOfNoUseResetsTheConnection) {
  const Protocol protocol;
  State state;
  Answers(protocol, state, kReceiver, Data{2'001, 1, 1});
  EXPECT_EQ(Answers(protocol, state, kReceiver, Data{6'002, 0, 2}), Texts{"Ack(seq=2001)"});
  EXPECT_EQ(Answers(protocol, state, kReceiver, Data{6'002, 0, 2}), Texts{"Ack(seq=2001)"});
  EXPECT_EQ(Answers(protocol, state, kReceiver, Data{6'002, 0, 2}),
            Texts{"Reset(syn=0, seq=6002)"});
  EXPECT_FALSE(state.receiver.open);
}

TEST(TransportTest, TheThirdEqualAckSendsTheFirstPacketAgain) {
  const Protocol protocol{.window_max = 2};
  State state;
  state.sender = {.connection = 1,
                  .current = 2'003,
                  .inflight = {2'002, 2'003},
                  .timers = {2'002, 2'003},
                  .window = 2,
                  .acked = 2'001};
  EXPECT_EQ(Answers(protocol, state, kSender, Ack{2'001}), Texts());
  EXPECT_EQ(Answers(protocol, state, kSender, Ack{2'001}), Texts());
  EXPECT_EQ(Answers(protocol, state, kSender, Ack{2'001}),
            Texts{"Data(seq=2002, syn=0, message=2)"});
  EXPECT_EQ(Answers(protocol, state, kSender, Ack{2'003}), Texts());
  EXPECT_TRUE(AllAcked(state.sender));
}

// A sender that has crashed counts its connections from 1 again, and catches up.
TEST(TransportTest, AResetOfALaterConnectionClosesAndAStaleOneDoesNot) {
  const Protocol protocol{.give_ups_max = 5};
  State state;
  state.sender = {
      .connection = 2, .current = 6'001, .inflight = {6'001}, .timers = {6'001}, .tries = 1};
  EXPECT_EQ(Answers(protocol, state, kSender, Reset{1, 2'001}), Texts());
  EXPECT_EQ(Answers(protocol, state, kSender, Reset{2, 6'001}),
            Texts{"Data(seq=10001, syn=3, message=1)"});
}

TEST(TransportTest, BugsOfSafetyAreFound) {
  EXPECT_EQ(DepthOf(Family(), "timers-survive", "one-give-up", "timers"), 2u);
  EXPECT_EQ(DepthOf(Family(), "stale-syn", "one-give-up", "acked-delivered"), 9u);
  EXPECT_EQ(DepthOf(Family(), "ack-off-by-one", "one-give-up", "acked-delivered"), 5u);
  EXPECT_EQ(DepthOf(Family(), "ack-off-by-one", "duplicates", "acked-delivered"), 4u);
  EXPECT_EQ(DepthOf(Family(), "twice", "duplicates", "in-order"), 6u);
}

TEST(TransportTest, RefusesBugsThatCannotShow) {
  EXPECT_EQ(std::string(Family().Make("window", "stale-syn").status().message()),
            "bug stale-syn needs a sender that gives up, which scenario window does not have");
  EXPECT_EQ(std::string(Family().Make("one-give-up", "no-fast-reset").status().message()),
            "bug no-fast-reset needs a receiver that crashes, which scenario one-give-up does not "
            "have");
  EXPECT_FALSE(Family().Make("one-give-up", "ack-beyond").ok());
  EXPECT_FALSE(Family().Make("window", "twice").ok());
  for (const model::Named& bug : Family().bugs()) {
    EXPECT_TRUE(Family().Make("live", bug.name).ok()) << bug.name;
  }
}

}  // namespace
}  // namespace foretell::integration::transport
