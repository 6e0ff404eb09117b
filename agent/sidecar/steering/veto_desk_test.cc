#include "foretell/agent/sidecar/steering/veto_desk.h"

#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

using snapshot::Filter;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

Filter DropAt(uint32_t node, const std::string& body) {
  return {.invariant = "agreement",
          .node = model::NodeId(node),
          .event = {model::EventKind::kDeliver, model::NodeId(0), body}};
}

class VetoDeskTest : public testing::Test {
 protected:
  using Action = VetoDesk::Action;
  std::vector<Action> Actions(const std::vector<VetoDesk::Change>& changes) {
    std::vector<Action> actions;
    for (const auto& change : changes) actions.push_back(change.action);
    return actions;
  }
  VetoDesk desk_{{.lease = 5s, .filters_max = 3, .decision_prefix = "x-"}};
  const VetoDesk::Time start_{};
};

TEST_F(VetoDeskTest, KeepsItsDecisionWhileNeeded) {
  const auto first = desk_.Update({DropAt(1, "a")}, true, 7, start_);
  EXPECT_EQ(Actions(first), (std::vector{Action::kApplied}));
  EXPECT_EQ(first[0].filter.decision, "x-7-1");
  const auto second = desk_.Update({DropAt(1, "a"), DropAt(1, "b")}, true, 8, start_ + 4s);
  EXPECT_EQ(Actions(second), (std::vector{Action::kRenewed, Action::kApplied}));
  EXPECT_EQ(second[0].filter.decision, "x-7-1");
  const auto nodes = desk_.ByNode(3, start_ + 5s);
  ASSERT_EQ(nodes[1].size(), 2u);
  EXPECT_EQ(nodes[1][0].lease, 4000ms);
  EXPECT_TRUE(nodes[0].empty());
}

TEST_F(VetoDeskTest, TakesOverWithTheLeaseThatIsLeftAndTheDecision) {
  Filter left = DropAt(1, "a");
  left.decision = "w-7-1";
  left.lease = 2s;
  EXPECT_EQ(Actions(desk_.TakeOver({left, left, left, left}, start_)),
            std::vector(3, Action::kTakenOver))
      << "not more than there may be";
  const auto renewed = desk_.Update({DropAt(1, "a")}, true, 1, start_ + 1s);
  EXPECT_EQ(renewed.back().filter.decision, "w-7-1");
}

TEST_F(VetoDeskTest, IsRemovedByAConclusiveRoundOnly) {
  desk_.Update({DropAt(1, "a")}, true, 1, start_);
  EXPECT_TRUE(desk_.Update({}, false, 2, start_ + 1s).empty());
  EXPECT_EQ(desk_.ByNode(3, start_ + 1s)[1].size(), 1u);
  EXPECT_EQ(Actions(desk_.Update({}, true, 3, start_ + 2s)), (std::vector{Action::kRemoved}));
  EXPECT_TRUE(desk_.vetoes().empty());
}

TEST_F(VetoDeskTest, ExpiresByItself) {
  desk_.Update({DropAt(1, "a")}, true, 1, start_);
  EXPECT_TRUE(desk_.ByNode(3, start_ + 5s)[1].empty());
  EXPECT_EQ(Actions(desk_.Update({}, false, 2, start_ + 5s)), (std::vector{Action::kExpired}));
}

TEST_F(VetoDeskTest, HasALimit) {
  const auto changes = desk_.Update(
      {DropAt(0, "a"), DropAt(0, "b"), DropAt(0, "c"), DropAt(0, "d")}, true, 1, start_);
  EXPECT_EQ(changes.back().action, Action::kRefused);
  EXPECT_EQ(desk_.vetoes().size(), 3u);
}

TEST_F(VetoDeskTest, ClearTakesAllBack) {
  desk_.Update({DropAt(0, "a"), DropAt(1, "b")}, true, 1, start_);
  EXPECT_EQ(Actions(desk_.Clear()), (std::vector{Action::kRemoved, Action::kRemoved}));
  EXPECT_TRUE(desk_.ByNode(2, start_)[0].empty());
}

}  // namespace
}  // namespace foretell::agent
