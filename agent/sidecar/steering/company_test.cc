#include "foretell/agent/sidecar/steering/company.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

using snapshot::KnownAgent;
using snapshot::Mode;
using snapshot::NodeCounters;
using std::chrono_literals::operator""s;
using testing::ElementsAre;
using testing::IsEmpty;

NodeCounters Knows(std::vector<KnownAgent> agents) {
  NodeCounters counters;
  counters.agents = std::move(agents);
  return counters;
}

class CompanyTest : public testing::Test {
 protected:
  Company company_{{.name = "a", .life = "a-2-"}};
  const KnownAgent self_{.agent = {.name = "a", .life = "a-2-"}, .connected = true};
  const KnownAgent other_{
      .agent = {.name = "b", .life = "b-1-", .modes = {{"atomic", Mode::kEnforce}}},
      .connected = true,
      .known_for = 12s,
      .filters = 1,
      .lease = 4s};
  const KnownAgent former_{.agent = {.name = "a", .life = "a-1-"}, .filters = 2, .lease = 3s};
};

TEST_F(CompanyTest, AnotherAgentIsSeenOnceWithAllItsNodes) {
  company_.Read({Knows({self_, other_}), absl::UnavailableError("gone"), Knows({other_})});
  ASSERT_EQ(company_.members().size(), 1u);
  const Company::Member& member = company_.members()[0];
  EXPECT_EQ(member.filters, 2u);
  EXPECT_THAT(member.nodes, ElementsAre(0, 2));
  EXPECT_EQ(TextOf(member, UnixTime(20s)),
            "another agent, 'b', enforces atomic since 1970-01-01 00:00:08 UTC; 2 vetoes in force");
  EXPECT_THAT(company_.left(), ElementsAre("", "", ""));
}

TEST_F(CompanyTest, WhatAnEarlierLifeLeftIsFoundNodeByNode) {
  company_.Read({Knows({self_}), Knows({self_, former_})});
  EXPECT_THAT(company_.left(), ElementsAre("", "a-1-"));
  ASSERT_EQ(company_.members().size(), 1u);
  EXPECT_EQ(TextOf(company_.members()[0], UnixTime()),
            "an earlier life of this agent has left 2 vetoes in force, for 3s at most");
}

TEST_F(CompanyTest, ALifeThatIsStillConnectedHasLeftNothing) {
  KnownAgent lives = former_;
  lives.connected = true;
  company_.Read({Knows({former_}), Knows({lives})});
  EXPECT_THAT(company_.left(), ElementsAre("", ""));
}

TEST_F(CompanyTest, WhoIsGoneIsForgotten) {
  company_.Read({Knows({other_})});
  company_.Read({Knows({self_})});
  EXPECT_THAT(company_.members(), IsEmpty());
}

}  // namespace
}  // namespace foretell::agent
