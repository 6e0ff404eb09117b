#include "foretell/dir/trace/interface_projection.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/invariant.h"
#include "foretell/model/typed/service.h"

namespace foretell::dir {
namespace {

using model::NodeId;

// Every node counts to three. Neighbours should be both even or both odd, nodes should not count.
struct CountProtocol {
  struct State {
    uint32_t count = 0;
    FORETELL_FIELDS(count)
  };
  struct Nothing {};
  struct Add {};
  using Message = Nothing;
  using Action = Add;

  uint32_t node_count() const { return 3; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    if (state.count == 3) return {};
    return {Add{}};
  }
  void OnAction(State& state, const Action&, model::Context<Message>&) const { ++state.count; }
  void OnMessage(State&, NodeId, const Message&, model::Context<Message>&) const {}

  struct Place {
    uint32_t node = 0;
    uint32_t count = 0;
    FORETELL_FIELDS(node, count)
  };
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto place = [](NodeId node, const State& state) -> std::optional<Place> {
      return Place{node.value(), state.count};
    };
    return {
        model::PairInvariant<State, Place>(
            {.name = "parity", .text = "Neighbours are both even or both odd."}, place,
            [](const Place& a, const Place& b) {
              return a.node + 1 == b.node && a.count % 2 != b.count % 2;
            }),
        model::NodeInvariant<State, Place>({.name = "zero", .text = "Nodes do not count."}, place,
                                           [](const Place& at) { return at.count > 0; })};
  }
};

class InterfaceProjectionTest : public testing::Test {
 protected:
  InterfaceProjectionTest() : service_(model::MakeService(CountProtocol{})) {}

  // The interface key of each count of a node.
  std::vector<Signature> Keys(uint32_t node, const Components& components, model::Budget budget) {
    const model::SystemCut start = model::InitialCut(*service_);
    GrownNodeGraphs grown(*service_, start, budget);
    const InterfaceProjection projection(*service_, grown, budget);
    std::vector<Signature> keys;
    model::NodeState state = start.nodes[node];
    for (uint32_t count = 0; count <= 3; ++count) {
      keys.push_back(projection.KeyOf(NodeId(node), state, components));
      if (count == 3) break;
      const model::Event add{.kind = model::EventKind::kAction,
                             .body = service_->Actions(NodeId(node), state.body).front()};
      state.body = service_->Run(NodeId(node), state.body, std::span(&add, 1), {}).state;
    }
    return keys;
  }

  std::unique_ptr<model::Service> service_;
  const Signature nothing_;
};

TEST_F(InterfaceProjectionTest, ProjectionsThatBreakTheSameLookTheSame) {
  const auto keys = Keys(1, Components::Nodes(3), model::Budget::Unlimited());
  EXPECT_NE(keys[0], nothing_);
  EXPECT_NE(keys[0], keys[1]);
  EXPECT_EQ(keys[0], keys[2]);
  EXPECT_EQ(keys[1], keys[3]);
}

TEST_F(InterfaceProjectionTest, OnlyOtherComponentsMatter) {
  const Components halves = *Components::Parse("0,1/2", 3);
  const std::vector<Signature> blind(4, nothing_);
  EXPECT_EQ(Keys(0, halves, model::Budget::Unlimited()), blind) << "its neighbour is at home";
  EXPECT_NE(Keys(1, halves, model::Budget::Unlimited()), blind);
  EXPECT_EQ(Keys(1, Components::Whole(3), model::Budget::Unlimited()), blind);
}

TEST_F(InterfaceProjectionTest, WithoutKnowledgeAllProjectionsDiffer) {
  model::Budget none({.steps_max = 1}, [] { return model::Budget::Time{}; });
  const auto keys = Keys(0, *Components::Parse("0,1/2", 3), none);
  EXPECT_EQ(std::set<Signature>(keys.begin(), keys.end()).size(), 4u);
  EXPECT_NE(keys[0], nothing_);
}

// Counts for long, and nobody looks.
struct LongProtocol : CountProtocol {
  std::vector<Action> Actions(NodeId, const State& state) const {
    if (state.count == 2'000) return {};
    return {Add{}};
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::PairInvariant<State, Place>(
        {.name = "blind", .text = "Whatever."},
        [](NodeId, const State&) -> std::optional<Place> { return std::nullopt; },
        [](const Place&, const Place&) { return true; })};
  }
};

TEST(InterfaceProjectionBudgetTest, LookingAtAllStatesEndsWithTheTime) {
  const auto service = model::MakeService(LongProtocol{});
  const model::SystemCut start = model::InitialCut(*service);
  model::Budget enough = model::Budget::Unlimited();
  GrownNodeGraphs grown(*service, start, enough);
  ASSERT_TRUE(grown.closed);
  EXPECT_TRUE(InterfaceProjection(*service, grown, enough).precise());
  model::Budget late({.deadline = model::Budget::Time{}}, [] { return model::Budget::Time{}; });
  EXPECT_FALSE(InterfaceProjection(*service, grown, late).precise());
}

}  // namespace
}  // namespace foretell::dir
