#include <gtest/gtest.h>

#include "foretell/integration/synod/family.h"
#include "foretell/integration/testing/explore_family.h"

namespace foretell::integration::synod {
namespace {

using model::NodeId;
using testing::DepthOf;
using testing::ExploreCorrect;

constexpr NodeId kProposer(0);
constexpr NodeId kFirstAcceptor(2);
constexpr NodeId kSecondAcceptor(3);
constexpr NodeId kLearner(5);

// What `node` sends, as text, when `message` comes.
std::vector<std::string> Answers(const Protocol& protocol, State& state, NodeId node, NodeId from,
                                 const Protocol::Message& message) {
  const auto service = model::MakeService(protocol);
  Protocol::Context context(node, protocol.node_count(), std::span<const uint32_t>());
  protocol.OnMessage(state, from, message, context);
  std::vector<std::string> answers;
  for (const model::Send& send : context.Take().sends) {
    answers.push_back(service->RenderMessage(send.body));
  }
  return answers;
}

using Texts = std::vector<std::string>;

TEST(SynodTest, AnAcceptorKeepsItsPromiseAndRemembersItsHighestVote) {
  const Protocol protocol;
  State state;
  const auto tell = [&](const Protocol::Message& message) {
    return Answers(protocol, state, kSecondAcceptor, kProposer, message).size();
  };
  EXPECT_EQ(tell(Read{2}), 1u);
  EXPECT_EQ(tell(Read{1}), 0u);
  EXPECT_EQ(tell(Write{{1, 1}}), 0u);
  EXPECT_EQ(tell(Write{{2, 2}}), 1u);
  EXPECT_EQ(state.acceptor.accepted->ballot, 2u);
}

// Otherwise the last vote would be the highest, and `last-accepted` no bug.
TEST(SynodTest, AWriteRaisesNoPromise) {
  State state;
  Answers({}, state, kSecondAcceptor, kProposer, Write{{2, 2}});
  EXPECT_EQ(Answers({}, state, kSecondAcceptor, kProposer, Write{{1, 1}}).size(), 1u);
  EXPECT_EQ(state.acceptor.accepted->ballot, 2u) << "but the higher vote stays";
  const Protocol faulty{.bug = Bug::kLastAccepted};
  State last;
  Answers(faulty, last, kFirstAcceptor, kProposer, Write{{2, 2}});
  Answers(faulty, last, kFirstAcceptor, kProposer, Write{{1, 1}});
  EXPECT_EQ(last.acceptor.accepted->ballot, 1u);
}

TEST(SynodTest, TheSecondAnswerDecidesAndTheThirdIsOfNoUse) {
  const Protocol protocol;
  State state;
  state.proposer.phase = Phase::kReads;
  EXPECT_EQ(Answers(protocol, state, kProposer, NodeId(2), ReadRepl{1, Vote{2, 7}}), Texts());
  EXPECT_EQ(Answers(protocol, state, kProposer, NodeId(3), ReadRepl{1, {}}),
            Texts(3, "Write(vote=(ballot=1, value=7))"));
  EXPECT_EQ(Answers(protocol, state, kProposer, NodeId(4), ReadRepl{1, Vote{3, 8}}), Texts());
  EXPECT_EQ(state.proposer.value, 7u);
  EXPECT_TRUE(state.proposer.got.empty());
}

TEST(SynodTest, TheLearnerCountsAcceptorsByBallot) {
  State state;
  Answers({}, state, kLearner, NodeId(2), Accept{{1, 1}});
  Answers({}, state, kLearner, NodeId(2), Accept{{1, 1}});
  Answers({}, state, kLearner, NodeId(3), Accept{{2, 2}});
  EXPECT_TRUE(state.learner.learned.empty());
  Answers({}, state, kLearner, NodeId(4), Accept{{2, 2}});
  EXPECT_EQ(state.learner.learned, (std::map<uint32_t, uint32_t>{{2, 2}}));
  EXPECT_FALSE(state.learner.got.contains(2));
}

TEST(SynodTest, OneProposerAlwaysAgreesWithItself) {
  EXPECT_GT(ExploreCorrect(Family(), "paxos-6,proposers=1").states, 100u);
}

TEST(SynodTest, AcceptsAllBreaksAgreement) {
  EXPECT_EQ(DepthOf(Family(), "accepts-all", "paxos-6", "agreement"), 18u);
}

TEST(SynodTest, LastAcceptedNeedsAThirdProposer) {
  EXPECT_EQ(std::string(Family().Make("paxos-6", "last-accepted").status().message()),
            "bug last-accepted needs a third proposer, which scenario paxos-6 does not have");
  EXPECT_TRUE(Family().Make("paxos-7", "last-accepted").ok());
}

}  // namespace
}  // namespace foretell::integration::synod
