#include "foretell/search/naive_search.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"

namespace foretell::search {
namespace {

using model::Context;
using model::NodeId;

// Each of two nodes may count to two; both at two is a violation, and so is an assertion when node
// 1 hears of it.
struct CountProtocol {
  struct State {
    uint32_t count = 0;
    FORETELL_FIELDS(count)
  };
  struct Done {};
  struct Count {};
  using Message = Done;
  using Action = Count;

  uint32_t node_count() const { return 2; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    if (state.count < 2) return {Count{}};
    return {};
  }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    ++state.count;
    if (context.self() == NodeId(0) && state.count == 2) context.Send(NodeId(1), Done{});
  }
  void OnMessage(State& state, NodeId, const Message&, Context<Message>& context) const {
    context.Require(state.count < 2, "done too late");
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto count = [](NodeId, const State& s) { return std::optional(s.count); };
    return {model::PairInvariant<State, uint32_t>(
                {.name = "not-both", .text = "Not both count to two."}, count,
                [](uint32_t a, uint32_t b) { return a == 2 && b == 2; }),
            model::NodeInvariant<State, uint32_t>(
                {.name = "never-three", .text = "Nobody counts to three."}, count,
                [](uint32_t a) { return a == 3; })};
  }
};

TEST(NaiveSearchTest, CountsEveryStateAndFindsEveryViolationByAShortestPath) {
  const auto service = model::MakeService(CountProtocol{});
  const model::SystemCut start = model::InitialCut(*service);
  const NaiveResult result = NaiveSearch(*service, start, 1'000);
  EXPECT_TRUE(result.finished);
  // 9 pairs of counts; with node 0 at two also "delivered" (3 counts of node 1) and "failed".
  EXPECT_EQ(result.states, 13u);
  EXPECT_EQ(result.transitions, 17u);
  EXPECT_EQ(result.terminals.size(), 2u);
  EXPECT_EQ(result.ViolatedNames(), (std::set<std::string>{"not-both", model::kLocalAssertions}));
  EXPECT_EQ(result.violated.at("not-both").size(), 4u);
  EXPECT_EQ(result.violated.at(model::kLocalAssertions).size(), 5u);
  for (const auto& [name, path] : result.violated) {
    EXPECT_TRUE(model::Confirm(*service, start, name, path).ok()) << name;
  }
}

TEST(NaiveSearchTest, SaysWhenTheLimitCutItOff) {
  const auto service = model::MakeService(CountProtocol{});
  const model::SystemCut start = model::InitialCut(*service);
  EXPECT_FALSE(NaiveSearch(*service, start, 12).finished);
  EXPECT_TRUE(NaiveSearch(*service, start, 13).finished);
}

}  // namespace
}  // namespace foretell::search
