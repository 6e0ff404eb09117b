#include <gtest/gtest.h>

#include "integration/chord/family.h"
#include "integration/chord/protocol.h"
#include "integration/testing/naive_bfs.h"

namespace foretell::integration::chord {
namespace {

using testing::BfsResult;
using testing::MakeOrDie;
using testing::NaiveBfs;

// The correct protocol from `scenario`: all of it, and nothing found.
BfsResult ExploreCorrect(const std::string& scenario) {
  const model::System system = MakeOrDie(Family(), scenario);
  BfsResult result = NaiveBfs(system).Run(200'000);
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.violations.empty());
  return result;
}

// The length of a shortest path on which `bug` breaks `one-owner`; it replays. 0 if there is none.
size_t DepthOf(const std::string& bug, const std::string& scenario) {
  const model::System system = MakeOrDie(Family(), scenario, bug);
  BfsResult result = NaiveBfs(system).Run(200'000, /*stop_at_violation=*/true);
  if (!result.violations.contains("one-owner")) return 0;
  model::Path path = result.violations["one-owner"];
  const auto violation = model::Confirm(*system.service, system.start, "one-owner", path);
  EXPECT_TRUE(violation.ok()) << violation.status();
  return path.size();
}

// Runs `scenario` always taking the first (or last) step that is possible, to its end.
std::vector<State> Finish(const std::string& scenario, bool first) {
  const model::System system = MakeOrDie(Family(), scenario);
  model::PlainSystem plain(*system.service, system.start);
  for (auto enabled = plain.Enabled(); !enabled.empty(); enabled = plain.Enabled()) {
    EXPECT_TRUE(plain.Apply(first ? enabled.front() : enabled.back()).ok());
  }
  std::vector<State> states;
  for (const model::NodeState& node : plain.state().nodes) {
    states.push_back(*model::Decode<State>(node.body));
  }
  return states;
}

TEST(ChordTest, BetweenGoesRoundTheRing) {
  EXPECT_TRUE(Between(0, 10, 20));
  EXPECT_FALSE(Between(0, 20, 10));
  EXPECT_TRUE(Between(20, 0, 10));
  EXPECT_FALSE(Between(20, 15, 10));
  EXPECT_FALSE(Between(0, 10, 10));
  EXPECT_FALSE(Between(10, 10, 20));
  EXPECT_TRUE(Between(10, 20, 10));
  EXPECT_FALSE(Between(10, 10, 10));
}

TEST(ChordTest, NoIdentifierHasTwoOwnersInARingOfTwo) {
  EXPECT_EQ(ExploreCorrect("chord-2").states, 1'040u);
}

TEST(ChordTest, NoIdentifierHasTwoOwnersInARingOfThree) {
  EXPECT_EQ(ExploreCorrect("chord-3").states, 29'120u);
}

TEST(ChordTest, TwoNodesAreARingInTheEnd) {
  for (const bool first : {true, false}) {
    const std::vector<State> states = Finish("chord-2", first);
    for (uint32_t n = 0; n < 2; ++n) {
      const model::NodeId other(1 - n);
      EXPECT_EQ(states[n].phase, Phase::kMember);
      EXPECT_EQ(states[n].successor, other);
      EXPECT_EQ(states[n].predecessor, other);
    }
  }
}

TEST(ChordTest, AnyPredecessorWidensARange) {
  EXPECT_EQ(DepthOf("any-predecessor", "chord-3"), 13u);
}

TEST(ChordTest, OwnRingHasASecondOwnerOfEverything) {
  EXPECT_EQ(DepthOf("own-ring", "chord-2"), 2u);
  EXPECT_EQ(DepthOf("own-ring", "chord-3"), 2u);
}

TEST(ChordTest, RefusesABugThatCannotShow) {
  const auto system = Family().Make("chord-2", "any-predecessor");
  ASSERT_FALSE(system.ok());
  EXPECT_EQ(std::string(system.status().message()),
            "bug any-predecessor needs two nodes that join, scenario chord-2 has one");
}

}  // namespace
}  // namespace foretell::integration::chord
