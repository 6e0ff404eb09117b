// The node's half of mode `guard`: docs/decisions/0047-guard.md. Clocks are those of the tests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/integration/sdk/node/core.h"
#include "foretell/integration/sdk/testing/relay.h"

namespace foretell::integration::sdk {
namespace {

using model::Encode;
using model::NodeId;
using snapshot::GuardStep;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeRelay;
using testing::Relay;
using ::testing::SizeIs;
using Kind = Core::CallAnswer::Kind;

// An agent as the node sees it.
struct FakeAgent {
  std::vector<GuardStep> asked;
  std::vector<snapshot::GuardSettled> settled;
  std::vector<std::string> lapsed;

  snapshot::GuardChannel Channel() {
    return {[this](const GuardStep& step) { asked.push_back(step); },
            [this](const snapshot::GuardSettled& at) { settled.push_back(at); },
            [this](const std::string& why) { lapsed.push_back(why); }};
  }
};

class CoreGuardTest : public ::testing::Test {
 protected:
  std::unique_ptr<Core> MakeCore(const model::Service& service) {
    return std::make_unique<Core>(
        service, service.InitialState(NodeId(0)),
        Core::Options{.node = NodeId(0),
                      .now = [this] { return now_; },
                      .reset_stream = [this](NodeId peer) { resets_.push_back(peer); }},
        stats_);
  }
  static absl::Status Join(Core& core, FakeAgent& agent, uint64_t session = 1) {
    return core.Guard(session, {{"one-lock"}, milliseconds(50)}, agent.Channel()).status();
  }
  static Relay::State StateOf(const Core& core) {
    return *model::Decode<Relay::State>(core.live().Encode());
  }
  static Envelope From(uint32_t from, uint64_t seq, const std::string& body, uint64_t number = 0) {
    return {EnvelopeKind::kMessage,
            NodeId(from),
            NodeId(0),
            {.checkpoint = number, .epoch = snapshot::FirstEpoch(1), .seq = seq},
            body};
  }
  Core::CallAnswer Call(Core& core, const std::string& name) {
    return core.Call(name, [this](const Core::CallAnswer& later) { later_.push_back(later); });
  }

  Time now_{};
  Stats stats_;
  std::vector<NodeId> resets_;
  std::vector<Core::CallAnswer> later_;
  const std::unique_ptr<model::Service> service_ = MakeRelay({});
  FakeAgent agent_;
};

TEST_F(CoreGuardTest, WhatNoGuardedInvariantSeesIsNotHeld) {
  const auto core = MakeCore(*service_);
  ASSERT_TRUE(Join(*core, agent_).ok());
  EXPECT_EQ(Call(*core, "Say").kind, Kind::kDone);
  EXPECT_THAT(agent_.asked, IsEmpty());
  EXPECT_THAT(core->outgoing(), SizeIs(2));
}

TEST_F(CoreGuardTest, AnEventThatIsGrantedHappensAndWhatFollowedItLeavesWithIt) {
  const auto core = MakeCore(*service_);
  ASSERT_TRUE(Join(*core, agent_).ok());
  EXPECT_EQ(Call(*core, "Lock").kind, Kind::kHeld);
  EXPECT_EQ(Call(*core, "Say").kind, Kind::kHeld);
  EXPECT_FALSE(StateOf(*core).locked);
  EXPECT_THAT(core->outgoing(), IsEmpty());
  ASSERT_THAT(agent_.asked, SizeIs(1));
  EXPECT_EQ(agent_.asked[0].event, "Lock()");
  EXPECT_TRUE(agent_.asked[0].views[0][0].has_value());
  EXPECT_FALSE(agent_.asked[0].views[1][0].has_value()) << "a crash loses the lock";
  core->AnswerGuard(1, {.step = agent_.asked[0].number});
  EXPECT_TRUE(StateOf(*core).locked);
  EXPECT_THAT(core->outgoing(), SizeIs(2));
  ASSERT_THAT(later_, SizeIs(2));
  EXPECT_EQ(later_[0].kind, Kind::kDone);
  EXPECT_EQ(later_[1].kind, Kind::kDone);
  core->SettleGuard();
  ASSERT_THAT(agent_.settled, SizeIs(1));
  EXPECT_EQ(agent_.settled[0].at, agent_.asked[0].number);
}

TEST_F(CoreGuardTest, ARefusalNamesItsDecisionAndWhatFollowedIsHandledAgain) {
  const auto core = MakeCore(*service_);
  ASSERT_TRUE(Join(*core, agent_).ok());
  Call(*core, "Lock");
  Call(*core, "Say");
  core->AnswerGuard(1, {agent_.asked[0].number, false, "d7", "one-lock"});
  EXPECT_FALSE(StateOf(*core).locked);
  EXPECT_EQ(StateOf(*core).said, 1u);
  ASSERT_THAT(later_, SizeIs(2));
  EXPECT_EQ(later_[0].kind, Kind::kRefused);
  EXPECT_EQ(later_[0].decision, "d7");
  EXPECT_THAT(later_[0].reason, HasSubstr("one-lock"));
  EXPECT_EQ(later_[1].kind, Kind::kDone);
  EXPECT_EQ(stats_.guard_refused, 1u);
  EXPECT_EQ(stats_.guard_redone, 1u);
}

TEST_F(CoreGuardTest, AHoldThatIsOverLetsTheEventHappenAndTheAgentIsNotAskedAgain) {
  const auto core = MakeCore(*service_);
  ASSERT_TRUE(Join(*core, agent_).ok());
  Call(*core, "Lock");
  now_ += milliseconds(49);
  core->ExpireGuard();
  EXPECT_FALSE(StateOf(*core).locked);
  EXPECT_EQ(core->guard_due(), now_ + milliseconds(1));
  now_ += milliseconds(1);
  core->ExpireGuard();
  EXPECT_TRUE(StateOf(*core).locked);
  EXPECT_EQ(stats_.guard_expired, 1u);
  EXPECT_THAT(agent_.lapsed, ElementsAre(HasSubstr("hold")));
  EXPECT_EQ(core->guard_due(), std::nullopt);
  // Its answer comes too late to change anything.
  core->AnswerGuard(1, {agent_.asked[0].number, false, "d8", "one-lock"});
  EXPECT_TRUE(StateOf(*core).locked);
  EXPECT_EQ(core->guard_mark(), "");
}

TEST_F(CoreGuardTest, OneRefusalIsEnoughAndASilentAgentCostsOneHold) {
  const auto core = MakeCore(*service_);
  FakeAgent other;
  ASSERT_TRUE(Join(*core, agent_).ok());
  ASSERT_TRUE(Join(*core, other, 2).ok());
  Call(*core, "Lock");
  core->AnswerGuard(2, {other.asked[0].number, false, "e1", "one-lock"});
  ASSERT_THAT(later_, SizeIs(1));
  EXPECT_EQ(later_[0].decision, "e1");
  Call(*core, "Lock");
  core->AnswerGuard(1, {.step = agent_.asked[1].number});
  EXPECT_FALSE(StateOf(*core).locked);
  now_ += milliseconds(50);
  core->ExpireGuard();
  EXPECT_TRUE(StateOf(*core).locked);
  EXPECT_THAT(other.lapsed, SizeIs(1));
  EXPECT_THAT(agent_.lapsed, IsEmpty());
}

TEST_F(CoreGuardTest, AnAgentThatIsGoneHoldsNothing) {
  const auto core = MakeCore(*service_);
  ASSERT_TRUE(Join(*core, agent_).ok());
  Call(*core, "Lock");
  core->EndGuard(1);
  EXPECT_TRUE(StateOf(*core).locked);
  EXPECT_EQ(stats_.guard_expired, 1u);
}

TEST_F(CoreGuardTest, CheckpointsWaitUntilNothingIsHeld) {
  const auto core = MakeCore(*service_);
  ASSERT_TRUE(Join(*core, agent_).ok());
  Call(*core, "Lock");
  core->Receive(From(1, 1, Encode(Relay::Message{7, ""})));
  bool taken = false;
  core->Request(5, [&](const Core::Captured& checkpoint) {
    taken = true;
    ASSERT_TRUE(checkpoint.ok());
    EXPECT_EQ(model::Decode<Relay::State>((*checkpoint)->state.body)->count, 1u);
  });
  // Behind the checkpoint, and one that asks for a later one itself.
  core->Receive(From(1, 2, Encode(Relay::Message{8, ""})));
  core->Receive(From(1, 3, Encode(Relay::Message{9, ""}), 6));
  EXPECT_FALSE(taken);
  EXPECT_EQ(core->number(), 0u);
  core->AnswerGuard(1, {.step = agent_.asked[0].number});
  EXPECT_TRUE(taken);
  EXPECT_EQ(core->number(), 6u);
  EXPECT_EQ(StateOf(*core).count, 3u);
}

TEST_F(CoreGuardTest, ANewLifeWaitsForItsAgentForOneHold) {
  const auto former = MakeCore(*service_);
  ASSERT_TRUE(Join(*former, agent_).ok());
  const auto core = MakeCore(*service_);
  core->AwaitGuard(former->guard_mark());
  EXPECT_EQ(Call(*core, "Lock").kind, Kind::kHeld);
  FakeAgent agent;
  ASSERT_TRUE(Join(*core, agent, 9).ok());
  ASSERT_THAT(agent.asked, SizeIs(1)) << "what waited is asked for";
  core->AnswerGuard(9, {agent.asked[0].number, false, "f1", "one-lock"});
  EXPECT_FALSE(StateOf(*core).locked);

  const auto alone = MakeCore(*service_);
  alone->AwaitGuard(former->guard_mark());
  EXPECT_EQ(Call(*alone, "Lock").kind, Kind::kHeld);
  now_ += milliseconds(50);
  alone->ExpireGuard();
  EXPECT_TRUE(StateOf(*alone).locked);
  EXPECT_EQ(alone->guard_mark(), "") << "and once only";
}

TEST_F(CoreGuardTest, MarksAndTermsThatDoNotFitGuardNothing) {
  const auto core = MakeCore(*service_);
  core->AwaitGuard("50\nof-another-service");
  core->AwaitGuard("nonsense");
  EXPECT_EQ(core->guard_mark(), "");
  const auto unknown = core->Guard(1, {{"two-locks"}, milliseconds(50)}, agent_.Channel());
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("two-locks"));
  const auto endless = core->Guard(1, {{"one-lock"}, milliseconds(11'000)}, agent_.Channel());
  EXPECT_THAT(std::string(endless.status().message()), HasSubstr("11000 ms"));
  EXPECT_EQ(Call(*core, "Lock").kind, Kind::kDone);
}

}  // namespace
}  // namespace foretell::integration::sdk
