#include "foretell/search/stubborn_sets.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/explorers.h"
#include "foretell/search/graphs/node_graphs.h"
#include "foretell/search/naive_search.h"

namespace foretell::search {
namespace {

using model::Budget;
using model::NodeId;

struct Number {
  uint32_t n = 0;
  FORETELL_FIELDS(n)
};

model::Message To(uint32_t to, uint32_t from, uint32_t n) {
  return {NodeId(from), NodeId(to), model::Encode(Number{n})};
}

Budget Enough() {
  return Budget({.steps_max = 100'000}, [] { return Budget::Time{}; });
}

// Somebody gets to seven, as the naive search says; then the reduced one, in either order, has to
// find it too.
template <class Protocol>
void ExpectSeven(const Protocol& protocol, std::vector<model::Message> in_flight) {
  const auto service = model::MakeService(protocol);
  model::SystemCut start = model::InitialCut(*service);
  start.in_flight = std::move(in_flight);
  ASSERT_TRUE(NaiveSearch(*service, start, 10'000).violated.contains("not-seven"));
  for (const Order order : {Order::kBreadthFirst, Order::kDepthFirst}) {
    Budget budget = Enough();
    SearchOptions options;
    options.order = order;
    options.minimise = false;  // It would see that nobody looks at x.
    const auto report = MakePorExplorer(*service, options)->Explore(start, budget);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(report->notes.empty()) << report->notes[0];
    EXPECT_EQ(report->violations.size(), 1u);
  }
}

template <class State>
std::vector<model::TypedInvariant<State>> NobodyAtSeven() {
  return {model::NodeInvariant<State, bool>(
      {.name = "not-seven", .text = "Nobody gets to seven.", .stable = true},
      [](NodeId, const State& s) { return s.n == 7 ? std::optional(true) : std::nullopt; },
      [](bool) { return true; })};
}

// Everybody remembers in which order it received what. Node 0 tells node 1 of a 1, node 1 tells
// node 0 of a 2, which then tells node 2. So nobody's first message can be taken alone.
struct Crosswise {
  using State = Number;
  using Message = Number;
  uint32_t node_count() const { return 3; }
  State Initial(NodeId) const { return {}; }
  void OnMessage(State& state, NodeId, const Message& message,
                 model::Context<Message>& context) const {
    state.n = 10 * state.n + message.n;
    if (message.n == 1) context.Send(NodeId(1), {4});
    if (message.n == 2) context.Send(NodeId(0), {3});
    if (message.n == 3) context.Send(NodeId(2), {6});
  }
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
};

TEST(StubbornSetsTest, WhatHasToHappenBeforeIsTakenWithIt) {
  const auto service = model::MakeService(Crosswise{});
  model::SystemCut start = model::InitialCut(*service);
  start.in_flight = {To(0, 0, 1), To(1, 1, 2), To(2, 2, 5)};
  model::TransitionTable table(*service);
  model::InvariantTable invariants(table);
  GlobalSpace space(table);
  NodeGraphs graphs(table, start);
  Budget budget = Enough();
  ASSERT_TRUE(graphs.Grow(UINT32_MAX, budget, {}));
  const Conflicts conflicts(table, invariants, graphs, 0, budget);
  StubbornSets sets(space, conflicts);
  const GlobalState first = space.Start(start);
  std::vector<Move> moves;
  space.AllEnabled(first, moves);
  ASSERT_EQ(moves.size(), 3u);
  const auto set = sets.Of(first, moves);
  ASSERT_TRUE(set.has_value());
  EXPECT_TRUE(set->Test(0) && set->Test(1));
  EXPECT_FALSE(set->Test(2));  // Whatever comes before or after it.
}

// Node 1 is at seven if y comes before z. But y is behind x, and x does not commute with w, which
// node 3 may send as long as it has not heard of y.
struct BehindTheHead {
  static constexpr uint32_t kX = 1, kY = 2, kZ = 3, kW = 4, kV = 5;
  struct State {
    uint32_t n = 0;
    uint32_t x = 0;
    FORETELL_FIELDS(n, x)
  };
  using Message = Number;
  using Action = Number;
  uint32_t node_count() const { return 4; }
  model::Network network() const { return {.kind = model::NetworkKind::kStreams}; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return node == NodeId(3) && state.n == 0 ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    state.n = kW;
    context.Send(NodeId(1), {kW});
  }
  void OnMessage(State& state, NodeId, const Message& message,
                 model::Context<Message>& context) const {
    if (message.n == kX) state.x = 2 * state.x + 1;
    if (message.n == kW) state.x = 3 * state.x;
    if (message.n == kV && state.n == 0) state.n = kV;
    if (message.n == kZ && state.n == kY) state.n = 7;
    if ((message.n == kY || message.n == kZ) && state.n == 0) state.n = message.n;
    if (message.n == kY) context.Send(NodeId(3), {kV});
  }
  std::vector<model::TypedInvariant<State>> Invariants() const { return NobodyAtSeven<State>(); }
};

TEST(StubbornSetsTest, WhatWaitsBehindTheHeadOfAStreamComesAfterIt) {
  ExpectSeven(BehindTheHead{}, {To(1, 0, BehindTheHead::kZ), To(1, 2, BehindTheHead::kX),
                                To(1, 2, BehindTheHead::kY)});
}

// Node 0 hears 1 from node 2, and from node 1 what that was when it heard of 2: it is 5 after a
// crash. Only then, and only if that comes before 1, is node 0 at seven.
struct AfterTheCrash {
  using State = Number;
  using Message = Number;
  uint32_t node_count() const { return 3; }
  model::FaultBudget faults(NodeId node) const {
    return {.crashes_max = node == NodeId(1) ? uint8_t{1} : uint8_t{0}};
  }
  State Initial(NodeId) const { return {}; }
  State OnCrash(NodeId, const State&) const { return {5}; }
  void OnMessage(State& state, NodeId, const Message& message,
                 model::Context<Message>& context) const {
    if (message.n == 2) context.Send(NodeId(0), {state.n});
    if (message.n == 1 && state.n == 5) state.n = 7;
    if (message.n != 2 && state.n == 0) state.n = message.n;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const { return NobodyAtSeven<State>(); }
};

TEST(StubbornSetsTest, WhoIsDownMayComeBack) {
  ExpectSeven(AfterTheCrash{}, {To(0, 2, 1), To(1, 2, 2)});
}

}  // namespace
}  // namespace foretell::search
