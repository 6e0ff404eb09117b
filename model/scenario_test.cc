#include "foretell/model/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/model/typed/family.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::model {
namespace {

struct Ring {
  struct State {
    bool done = false;
    FORETELL_FIELDS(done)
  };
  struct Token {};
  using Message = Token;
  uint32_t nodes = 3;
  bool streams = false;
  bool broken = false;
  uint32_t node_count() const { return nodes; }
  Network network() const {
    return {.kind = streams ? NetworkKind::kStreams : NetworkKind::kDatagrams};
  }
  FaultBudget faults(NodeId) const { return {.crashes_max = 1}; }
  void OnMessage(State& state, NodeId, const Token&, Context<Token>&) const { state.done = true; }
  std::vector<TypedInvariant<State>> Invariants() const {
    return {AtMostOne("one", "At most one.", &State::done)};
  }
};

Family<Ring> RingFamily() {
  return Family<Ring>({
      .name = "ring",
      .text = "A ring.",
      .scenarios = {{"plain", "As it is."},
                    {"streams", "In order.", [](Ring& ring) { ring.streams = true; }}},
      .bugs = {{"broken", "Broken.", [](Ring& ring) { ring.broken = true; },
                [](const Ring& ring, const std::string&) {
                  return ring.nodes > 3 ? "" : "a fourth node";
                }}},
      .parameters = {{"nodes", "how many nodes there are", &Ring::nodes, 0, 9}},
  });
}

std::string ErrorOf(const std::string& scenario, const std::string& bug = "") {
  return std::string(MakeSystem(RingFamily(), scenario, bug).status().message());
}

TEST(ScenarioTest, SettingsTravelWithTheName) {
  const auto spec = ParseScenario("plain,nodes=5,crashes[0]=2");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->name, "plain");
  EXPECT_EQ(ScenarioText(*spec), "plain,crashes[0]=2,nodes=5");
}

TEST(ScenarioTest, ParametersEditTheProtocol) {
  EXPECT_EQ(MakeSystem(RingFamily(), "plain", "")->service->node_count(), 3u);
  EXPECT_EQ(MakeSystem(RingFamily(), "plain,nodes=5", "")->start.nodes.size(), 5u);
}

TEST(ScenarioTest, FaultsAreSetAtOneNodeOrAtAll) {
  const auto one = MakeSystem(RingFamily(), "plain,crashes[1]=2", "");
  EXPECT_EQ(one->service->faults(NodeId(0)).crashes_max, 1);
  EXPECT_EQ(one->service->faults(NodeId(1)).crashes_max, 2);
  const auto all = MakeSystem(RingFamily(), "plain,crashes=0", "");
  EXPECT_EQ(all->service->faults(NodeId(2)).crashes_max, 0);
  EXPECT_EQ(MakeSystem(RingFamily(), "plain,duplicates=2", "")->service->network().duplicates_max,
            2u);
}

TEST(ScenarioTest, WhatMeansNothingIsRefusedByName) {
  EXPECT_EQ(
      ErrorOf("plain,nods=5"),
      "unknown parameter 'nods': did you mean 'nodes'? known: nodes, crashes, breaks, duplicates");
  EXPECT_EQ(ErrorOf("plain,nodes=10"), "nodes=10: must be from 0 to 9");
  EXPECT_EQ(ErrorOf("plain,nodes"), "'nodes': a setting is NAME=NUMBER");
  EXPECT_EQ(ErrorOf("plain,nodes=many"), "'nodes=many': a setting is NAME=NUMBER");
  EXPECT_EQ(ErrorOf("plain,nodes=1,nodes=2"), "nodes is set twice");
  EXPECT_EQ(ErrorOf("plain,crashes[7]=1"), "crashes[7]=1: there is no node 7, nodes are 0 to 2");
  EXPECT_EQ(ErrorOf("plain,crashes=256"), "crashes=256: must be from 0 to 255");
  EXPECT_EQ(ErrorOf("streams,duplicates=1"),
            "duplicates=1: messages go over streams, which do not duplicate");
  EXPECT_EQ(ErrorOf("odd"), "there is no scenario odd");
}

TEST(ScenarioTest, ASystemHasANode) {
  EXPECT_EQ(ErrorOf("plain,nodes=0"), "a system has at least one node: node_count() is 0");
}

TEST(ScenarioTest, ABugSaysWhatItNeeds) {
  EXPECT_EQ(ErrorOf("plain", "broken"),
            "bug broken needs a fourth node, which scenario plain does not have");
  EXPECT_TRUE(MakeSystem(RingFamily(), "plain,nodes=4", "broken").ok());
}

TEST(ScenarioTest, AFamilyWithoutScenariosHasOne) {
  const Family<Ring> family({.name = "ring", .text = "A ring."});
  ASSERT_EQ(family.scenarios().size(), 1u);
  EXPECT_EQ(family.scenarios().front().name, "start");
  EXPECT_TRUE(MakeSystem(family, "start", "").ok());
}

}  // namespace
}  // namespace foretell::model
