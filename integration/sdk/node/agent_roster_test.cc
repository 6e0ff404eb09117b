#include "foretell/integration/sdk/node/agent_roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "foretell/integration/sdk/testing/relay.h"

namespace foretell::integration::sdk {
namespace {

using model::NodeId;
using snapshot::AgentIdentity;
using snapshot::Filter;
using snapshot::FilterKind;
using snapshot::KnownAgent;
using snapshot::Mode;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeRelay;
using testing::Relay;

constexpr AgentRoster::Session kEast = 1;
constexpr AgentRoster::Session kWest = 2;

class AgentRosterTest : public ::testing::Test {
 protected:
  static AgentIdentity Named(const std::string& name, const std::string& life, Mode mode) {
    return {name, life, {{"one-lock", mode}}};
  }
  static Filter Drop(const std::string& decision, uint32_t value, Mode mode = Mode::kEnforce,
                     milliseconds lease = milliseconds(100)) {
    return {.decision = decision,
            .invariant = "one-lock",
            .kind = FilterKind::kDrop,
            .mode = mode,
            .node = NodeId(0),
            .event = EventOf(value),
            .lease = lease};
  }
  static model::Event EventOf(uint32_t value) {
    return {model::EventKind::kDeliver, NodeId(1), model::Encode(Relay::Message{value, ""})};
  }
  std::vector<std::string> Lives() const {
    std::vector<std::string> lives;
    for (const KnownAgent& one : roster_.Known(now_)) lives.push_back(one.agent.life);
    return lives;
  }

  const std::unique_ptr<model::Service> service_ = MakeRelay({});
  AgentRoster roster_{*service_, NodeId(0)};
  Time now_{};
};

TEST_F(AgentRosterTest, OneAgentDoesNotReplaceWhatAnotherVetoes) {
  roster_.Introduce(kEast, Named("east", "e1", Mode::kEnforce), now_);
  roster_.Introduce(kWest, Named("west", "w1", Mode::kEnforce), now_);
  ASSERT_TRUE(roster_.SetFilters(kEast, {Drop("e1-1", 7)}, now_).ok());
  ASSERT_TRUE(roster_.SetFilters(kWest, {Drop("w1-1", 8)}, now_).ok());
  EXPECT_EQ(roster_.Find(EventOf(7), now_).veto->decision, "e1-1");
  EXPECT_EQ(roster_.Find(EventOf(8), now_).veto->decision, "w1-1");
  ASSERT_TRUE(roster_.SetFilters(kEast, {}, now_).ok());
  EXPECT_EQ(roster_.Find(EventOf(7), now_).veto, nullptr);
  EXPECT_NE(roster_.Find(EventOf(8), now_).veto, nullptr);
}

TEST_F(AgentRosterTest, TheStrongestCounts) {
  roster_.Introduce(kEast, Named("east", "e1", Mode::kShadow), now_);
  roster_.Introduce(kWest, Named("west", "w1", Mode::kEnforce), now_);
  ASSERT_TRUE(roster_.SetFilters(kEast, {Drop("e1-1", 7, Mode::kShadow)}, now_).ok());
  ASSERT_TRUE(roster_.SetFilters(kWest, {Drop("w1-1", 7)}, now_).ok());
  const FilterSet::Match match = roster_.Find(EventOf(7), now_);
  EXPECT_EQ(match.veto->decision, "w1-1");
  EXPECT_EQ(match.shadowed, 1u);
  // Of two that enforce, the one that lasts longer.
  ASSERT_TRUE(
      roster_.SetFilters(kEast, {Drop("e1-2", 7, Mode::kEnforce, milliseconds(500))}, now_).ok());
  EXPECT_EQ(roster_.Find(EventOf(7), now_).veto->decision, "e1-2");
  EXPECT_EQ(roster_.Find(EventOf(7), now_).until, now_ + milliseconds(500));
}

TEST_F(AgentRosterTest, CutsOfTwoAgentsAreBothChecked) {
  const auto before = service_->MakeLive(NodeId(0), service_->InitialState(NodeId(0)));
  Relay::State locked = *model::Decode<Relay::State>(before->Encode());
  locked.locked = true;
  const auto after = service_->MakeLive(NodeId(0), model::Encode(locked));
  snapshot::SafetyCut cut{.number = 1, .lease = milliseconds(100)};
  for (uint32_t n = 0; n < 3; ++n) {
    cut.cut.nodes.push_back({.body = n == 1 ? model::Encode(locked) : before->Encode()});
  }
  cut.modes = {{"one-lock", Mode::kShadow}};
  ASSERT_TRUE(roster_.SetSafetyCut(kEast, cut, now_).ok());
  EXPECT_EQ(roster_.Compare(*before, *after).mode, Mode::kShadow);
  roster_.Introduce(kWest, Named("west", "w1", Mode::kEnforce), now_);
  cut.modes = {{"one-lock", Mode::kEnforce}};
  ASSERT_TRUE(roster_.SetSafetyCut(kWest, cut, now_).ok());
  EXPECT_EQ(roster_.Compare(*before, *after).mode, Mode::kEnforce);
  EXPECT_TRUE(roster_.Checks(now_));
  EXPECT_FALSE(roster_.Checks(now_ + milliseconds(100)));
}

TEST_F(AgentRosterTest, VetoesOutlastTheConnectionAndEndWithTheirLease) {
  roster_.Introduce(kEast, Named("east", "e1", Mode::kEnforce), now_);
  ASSERT_TRUE(roster_.SetFilters(kEast, {Drop("e1-1", 7)}, now_).ok());
  roster_.End(kEast, now_);
  ASSERT_THAT(Lives(), ElementsAre("e1"));
  EXPECT_FALSE(roster_.Known(now_)[0].connected);
  EXPECT_EQ(roster_.Known(now_)[0].filters, 1u);
  EXPECT_NE(roster_.Find(EventOf(7), now_).veto, nullptr);
  // It comes back over another connection: the same agent, the same vetoes.
  roster_.Introduce(3, Named("east", "e1", Mode::kEnforce), now_);
  ASSERT_TRUE(roster_.SetFilters(3, {}, now_).ok());
  EXPECT_EQ(roster_.Find(EventOf(7), now_).veto, nullptr);
  ASSERT_TRUE(roster_.SetFilters(3, {Drop("e1-2", 7)}, now_).ok());
  roster_.End(3, now_);
  now_ += milliseconds(100);
  EXPECT_EQ(roster_.Find(EventOf(7), now_).veto, nullptr);
  EXPECT_THAT(Lives(), IsEmpty());
}

TEST_F(AgentRosterTest, ANewLifeTakesOverFromTheOld) {
  roster_.Introduce(kEast, Named("east", "e1", Mode::kEnforce), now_);
  ASSERT_TRUE(roster_.SetFilters(kEast, {Drop("e1-1", 7)}, now_).ok());
  roster_.Find(EventOf(7), now_);
  roster_.End(kEast, now_);
  now_ += milliseconds(40);
  roster_.Introduce(3, Named("east", "e2", Mode::kEnforce), now_);
  const auto adopted = roster_.Adopt(3, "e1", now_);
  ASSERT_TRUE(adopted.ok()) << adopted.status();
  ASSERT_THAT(*adopted, ElementsAre(Drop("e1-1", 7, Mode::kEnforce, milliseconds(60))));
  EXPECT_THAT(Lives(), ElementsAre("e2"));
  ASSERT_EQ(roster_.hits().size(), 1u);
  EXPECT_EQ(roster_.hits()[0].count, 1u);
  EXPECT_EQ(roster_.Adopt(3, "e1", now_).status().code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(roster_.SetFilters(3, {}, now_).ok());
  EXPECT_EQ(roster_.Find(EventOf(7), now_).veto, nullptr);
}

TEST_F(AgentRosterTest, NobodyTakesOverWhatIsNotItsOwn) {
  roster_.Introduce(kEast, Named("east", "e1", Mode::kEnforce), now_);
  ASSERT_TRUE(roster_.SetFilters(kEast, {Drop("e1-1", 7)}, now_).ok());
  roster_.Introduce(kWest, Named("west", "w1", Mode::kEnforce), now_);
  roster_.Introduce(3, Named("east", "e2", Mode::kEnforce), now_);
  EXPECT_THAT(std::string(roster_.Adopt(3, "e1", now_).status().message()),
              HasSubstr("'east' (e1), which is connected"));
  roster_.End(kEast, now_);
  EXPECT_THAT(std::string(roster_.Adopt(kWest, "e1", now_).status().message()),
              HasSubstr("'east' (e1), which is another agent"));
  EXPECT_EQ(roster_.Adopt(9, "e1", now_).status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(roster_.Find(EventOf(7), now_).veto, nullptr);
}

TEST_F(AgentRosterTest, DecisionsOfTwoAgentsCannotCollide) {
  roster_.Introduce(kEast, Named("east", "e1", Mode::kEnforce), now_);
  roster_.Introduce(kWest, Named("west", "w1", Mode::kEnforce), now_);
  ASSERT_TRUE(roster_.SetFilters(kEast, {Drop("same", 7)}, now_).ok());
  const absl::Status taken = roster_.SetFilters(kWest, {Drop("same", 8)}, now_);
  EXPECT_EQ(taken.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(taken.message()), HasSubstr("is a decision of agent 'east' (e1)"));
}

TEST_F(AgentRosterTest, AgentsAndTheirFiltersHaveLimits) {
  for (uint32_t a = 0; a < snapshot::kAgentsMax; ++a) {
    roster_.Introduce(a, Named("a", absl::StrCat("life", a), Mode::kEnforce), now_);
    ASSERT_TRUE(roster_.SetFilters(a, {Drop(absl::StrCat("d", a), 7)}, now_).ok());
  }
  EXPECT_EQ(roster_.SetFilters(99, {Drop("d99", 7)}, now_).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(
      roster_.SetFilters(0, std::vector<Filter>(snapshot::kFiltersMax, Drop("d", 1)), now_).code(),
      absl::StatusCode::kResourceExhausted);
  // When a lease is over there is room again.
  now_ += milliseconds(100);
  EXPECT_TRUE(roster_.SetFilters(99, {Drop("d99", 7)}, now_).ok());
}

TEST_F(AgentRosterTest, WhoSaysNothingOfItselfIsOneAgent) {
  ASSERT_TRUE(roster_.SetFilters(kEast, {Drop("1", 7)}, now_).ok());
  ASSERT_TRUE(roster_.SetFilters(kWest, {Drop("2", 8)}, now_).ok());
  EXPECT_EQ(roster_.Find(EventOf(7), now_).veto, nullptr);
  EXPECT_NE(roster_.Find(EventOf(8), now_).veto, nullptr);
}

TEST_F(AgentRosterTest, SaysSinceWhenAnAgentIsAsItIs) {
  roster_.Introduce(kEast, Named("east", "e1", Mode::kShadow), now_);
  now_ += milliseconds(30);
  roster_.Introduce(kEast, Named("east", "e1", Mode::kShadow), now_);
  EXPECT_EQ(roster_.Known(now_)[0].known_for, milliseconds(30));
  roster_.Introduce(kEast, Named("east", "e1", Mode::kEnforce), now_);
  EXPECT_EQ(roster_.Known(now_)[0].known_for, milliseconds(0));
  EXPECT_EQ(roster_.Known(now_)[0].agent.modes.at("one-lock"), Mode::kEnforce);
}

}  // namespace
}  // namespace foretell::integration::sdk
