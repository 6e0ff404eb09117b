#include "foretell/model/typed/shapes.h"

#include <gtest/gtest.h>

#include <vector>

namespace foretell::model {
namespace {

struct State {
  bool holds = false;
  std::optional<uint32_t> value;
  uint32_t count = 0;
};

using Invariant = TypedInvariant<State>;

// Whether the two nodes break a pair invariant: both must contribute.
bool Breaks(const Invariant& invariant, const State& a, const State& b) {
  const std::optional<std::string> keys[] = {invariant.project(NodeId(0), a),
                                             invariant.project(NodeId(1), b)};
  return keys[0] && keys[1] && invariant.violated(keys);
}
bool Breaks(const Invariant& invariant, NodeId node, const State& state) {
  const std::optional<std::string> keys[] = {invariant.project(node, state)};
  return keys[0] && invariant.violated(keys);
}

TEST(ShapesTest, AtMostOneOfABoolIsOneNode) {
  const Invariant one = AtMostOne("one", "", &State::holds);
  EXPECT_EQ(one.info.scope, Scope::kPair);
  EXPECT_TRUE(Breaks(one, {.holds = true}, {.holds = true}));
  EXPECT_FALSE(Breaks(one, {.holds = true}, {}));
}

TEST(ShapesTest, AtMostOneOfAnOptionalIsOneNodePerValue) {
  const Invariant one = AtMostOne("one", "", &State::value);
  EXPECT_TRUE(Breaks(one, {.value = 7}, {.value = 7}));
  EXPECT_FALSE(Breaks(one, {.value = 7}, {.value = 8}));
  EXPECT_FALSE(Breaks(one, {.value = 7}, {}));
}

TEST(ShapesTest, AgreementIsAboutThoseThatHaveAValue) {
  const Invariant agreement = Agreement("agreement", "", &State::value);
  EXPECT_TRUE(Breaks(agreement, {.value = 7}, {.value = 8}));
  EXPECT_FALSE(Breaks(agreement, {.value = 7}, {.value = 7}));
  EXPECT_FALSE(Breaks(agreement, {.value = 7}, {}));
}

TEST(ShapesTest, AlwaysAndNeverAreOpposites) {
  const Invariant always = Always("low", "", [](const State& s) { return s.count < 3; });
  const Invariant never = Never("high", "", [](const State& s) { return s.count >= 3; });
  for (const Invariant& invariant : {always, never}) {
    EXPECT_EQ(invariant.info.scope, Scope::kNode);
    EXPECT_FALSE(Breaks(invariant, NodeId(0), {.count = 2}));
    EXPECT_TRUE(Breaks(invariant, NodeId(0), {.count = 3}));
  }
}

TEST(ShapesTest, AFunctionMayAskWhichNode) {
  const Invariant server = Never(
      "high", "", [](NodeId node, const State& s) { return node == NodeId(0) && s.count > 0; });
  EXPECT_TRUE(Breaks(server, NodeId(0), {.count = 1}));
  EXPECT_FALSE(Breaks(server, NodeId(1), {.count = 1}));
}

TEST(ShapesTest, EventuallyIsNoSafetyProperty) {
  EXPECT_TRUE(Eventually("holds", "", &State::holds).info.eventually);
}

TEST(ShapesTest, AGoalIsReachedWhereItHolds) {
  const Invariant goal = Reaches("holds", "", &State::holds);
  EXPECT_TRUE(goal.goal);
  EXPECT_TRUE(goal.project(NodeId(0), {.holds = true}).has_value());
  EXPECT_FALSE(goal.project(NodeId(0), {}).has_value());
}

TEST(ShapesTest, WithoutATextTheShapeSaysWhatItMeans) {
  EXPECT_EQ(AtMostOne("one", &State::holds).info.text, "At most one node at a time.");
  EXPECT_TRUE(Reaches("holds", &State::holds).goal);
  EXPECT_TRUE(Breaks(Never("holds", &State::holds), NodeId(0), {.holds = true}));
}

TEST(ShapesTest, StableIsAClaimOfItsOwn) {
  EXPECT_FALSE(AtMostOne("one", "", &State::holds).info.stable);
  EXPECT_TRUE(Stable(AtMostOne("one", "", &State::holds)).info.stable);
}

}  // namespace
}  // namespace foretell::model
