#include <gtest/gtest.h>

#include "foretell/integration/randtree/family.h"
#include "foretell/integration/randtree/protocol.h"
#include "foretell/integration/testing/explore_family.h"
#include "foretell/model/report.h"

namespace foretell::integration::randtree {
namespace {

using testing::DepthOf;
using testing::ExploreCorrect;
using Texts = std::vector<std::string>;

constexpr NodeId kA(0);
constexpr NodeId kB(1);
constexpr NodeId kC(2);

Protocol OfThree() { return {.peers = {{}, {kA}, {kB}}}; }

// What a handler of `node` sends in answer to `message`, and to whom.
Texts Answers(const Protocol& protocol, State& state, NodeId node, NodeId from,
              const Protocol::Message& message) {
  const auto service = model::MakeService(protocol);
  Protocol::Context context(node, protocol.node_count(), std::span<const uint32_t>());
  protocol.OnMessage(state, from, message, context);
  Texts answers;
  for (const model::Send& send : context.Take().sends) {
    answers.push_back(std::to_string(send.to.value()) + " " + service->RenderMessage(send.body));
  }
  return answers;
}

TEST(RandTreeTest, EveryScenarioIsSafe) {
  const Family family;
  EXPECT_EQ(ExploreCorrect(family, "chain").states, 218u);
  EXPECT_EQ(ExploreCorrect(family, "leaf-resets").states, 2'886u);
  EXPECT_EQ(ExploreCorrect(family, "middle-resets").states, 4'651u);
  EXPECT_EQ(ExploreCorrect(family, "root-resets").states, 2'417u);
  EXPECT_EQ(ExploreCorrect(family, "narrow").states, 5'761u);
  EXPECT_EQ(ExploreCorrect(family, "reverse").states, 825u);
  EXPECT_EQ(ExploreCorrect(family, "lost-root").states, 5'579u);
  EXPECT_EQ(ExploreCorrect(family, "mutual").states, 29u);
  EXPECT_EQ(ExploreCorrect(family, "late-leave").states, 1'509u);
}

TEST(RandTreeTest, BugsOfSafetyAreFound) {
  const Family family;
  EXPECT_EQ(DepthOf(family, "forgets-recovery", "chain", "timers"), 3u);
  EXPECT_EQ(DepthOf(family, "any-order", "mutual", "no-loops"), 6u);
  EXPECT_EQ(DepthOf(family, "keeps-parent", "root-resets", model::kLocalAssertions), 15u);
}

TEST(RandTreeTest, AMemberPassesJoinsOnToItsRoot) {
  State state{.phase = Phase::kJoined, .root = kA, .parent = kA};
  EXPECT_EQ(Answers(OfThree(), state, kB, kC, Join{kC, std::nullopt}),
            Texts{"0 Join(source=2, down=-)"});
  EXPECT_EQ(Answers(OfThree(), state, kB, kA, Join{kC, kA}),
            Texts{"2 JoinReply(reply=accepted, root=0)"});
  EXPECT_EQ(Answers(OfThree(), state, kB, kA, Join{kA, std::nullopt}),
            Texts{"0 JoinReply(reply=loop, root=-)"});
}

TEST(RandTreeTest, AFullRootSendsDown) {
  Protocol protocol = OfThree();
  protocol.children_max = 1;
  State state{.phase = Phase::kJoined, .root = kA, .children = {kB}};
  EXPECT_EQ(Answers(protocol, state, kA, kC, Join{kC, std::nullopt}),
            Texts{"1 Join(source=2, down=0)"});
}

TEST(RandTreeTest, ARootJoinsASmallerOneThatAsks) {
  State state{.phase = Phase::kJoined, .root = kB, .recovery_timer = true};
  EXPECT_EQ(Answers(OfThree(), state, kB, kA, Join{kA, std::nullopt}),
            (Texts{"0 JoinReply(reply=force, root=-)", "0 Join(source=1, down=-)"}));
  EXPECT_EQ(state.phase, Phase::kJoining);
}

TEST(RandTreeTest, WhoeverComesBackTellsAll) {
  const auto service = model::MakeService(OfThree());
  const model::Event restart{.kind = model::EventKind::kRestart};
  const auto result = service->Run(kB, service->InitialState(kB), std::span(&restart, 1), {});
  ASSERT_EQ(result.sends.size(), 2u);
  EXPECT_EQ(service->RenderMessage(result.sends[0].body), "Gone()");
}

// A JoinReply that is lost must not make a child of somebody who does not know.
TEST(RandTreeTest, AfterABreakNobodyIsAnybodysChild) {
  const Protocol protocol = OfThree();
  State state{.phase = Phase::kJoining, .root = kC, .join_timer = true, .asking = true};
  Protocol::Context context(kC, 3, std::span<const uint32_t>());
  protocol.OnBreak(state, kA, context);
  EXPECT_FALSE(state.asking);
  const std::vector<model::Send> sends = context.Take().sends;
  ASSERT_EQ(sends.size(), 1u);
  EXPECT_EQ(sends[0].to, kA);
  EXPECT_EQ(sends[0].body, model::Encode(Protocol::Message(Remove{})));
}

// What comes from outside may name nodes that are not there.
TEST(RandTreeTest, RefusesStatesAndMessagesThatMakeNoSense) {
  const Protocol protocol = OfThree();
  EXPECT_TRUE(protocol.Valid(protocol.Initial(kB)));
  EXPECT_FALSE(protocol.Valid(State{.phase = Phase::kJoined}));
  EXPECT_FALSE(protocol.Valid(State{.recovery_timer = true}));
  EXPECT_FALSE(protocol.Valid(State{.children = {NodeId(3)}}));
  EXPECT_FALSE(protocol.Valid(Protocol::Message(Join{NodeId(7), std::nullopt})));
  EXPECT_FALSE(protocol.Valid(Protocol::Message(NewRoot{NodeId(3)})));
  EXPECT_TRUE(protocol.Valid(Protocol::Message(Gone{})));
}

TEST(RandTreeTest, RefusesBugsThatCannotShow) {
  EXPECT_EQ(std::string(Family().Make("chain", "init-ignores-reply").status().message()),
            "bug init-ignores-reply needs a node that loses all it knows, which scenario chain "
            "does not have");
  EXPECT_FALSE(Family().Make("mutual", "forgets-recovery").ok());
  EXPECT_FALSE(Family().Make("chain", "remove-only-joined").ok());
  EXPECT_FALSE(Family().Make("chain", "any-order").ok());
  EXPECT_TRUE(Family().Make("live", "init-ignores-reply").ok());
}

}  // namespace
}  // namespace foretell::integration::randtree
