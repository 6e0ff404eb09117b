#include <gtest/gtest.h>

#include "foretell/integration/chord/family.h"
#include "foretell/integration/chord/protocol.h"
#include "foretell/integration/chord/ring/ids.h"
#include "foretell/integration/testing/explore_family.h"

namespace foretell::integration::chord {
namespace {

using testing::BfsResult;

BfsResult ExploreCorrect(const std::string& scenario) {
  return testing::ExploreCorrect(Family(), scenario);
}

size_t DepthOf(const std::string& bug, const std::string& scenario) {
  return testing::DepthOf(Family(), bug, scenario, "one-owner");
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
    const std::vector<State> states = testing::Finish<State>(Family(), "chord-2", first);
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
            "bug any-predecessor needs two nodes that join, which scenario chord-2 does not have");
}

}  // namespace
}  // namespace foretell::integration::chord
