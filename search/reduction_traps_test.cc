// Where a reduction that forgets one of its side conditions goes wrong.

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/explorers.h"
#include "foretell/search/naive_search.h"

namespace foretell::search {
namespace {

using model::Budget;
using model::NodeId;

struct Number {
  uint32_t n = 0;
  FORETELL_FIELDS(n)
};

// What por finds, in either order, must be what the naive search finds.
template <class Protocol>
void ExpectFound(const Protocol& protocol, std::vector<model::Message> in_flight,
                 const std::string& invariant) {
  const auto service = model::MakeService(protocol);
  model::SystemCut start = model::InitialCut(*service);
  start.in_flight = std::move(in_flight);
  ASSERT_TRUE(NaiveSearch(*service, start, 1'000).violated.contains(invariant));
  for (const Order order : {Order::kBreadthFirst, Order::kDepthFirst}) {
    SearchOptions options;
    options.order = order;
    Budget budget({.steps_max = 10'000}, [] { return Budget::Time{}; });
    const auto report = MakePorExplorer(*service, options)->Explore(start, budget);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(report->notes.empty()) << report->notes[0];
    ASSERT_EQ(report->violations.size(), 1u);
    EXPECT_EQ(report->violations[0].invariant, invariant);
  }
}

// Node 0 turns round and round and has nothing to do with node 1, which can go wrong in one step.
struct MerryGoRound {
  using State = Number;
  using Message = Number;
  using Action = Number;
  uint32_t node_count() const { return 2; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return node == NodeId(0) || state.n == 0 ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    state.n = context.self() == NodeId(0) ? (state.n + 1) % 3 : 7;
  }
  void OnMessage(State&, NodeId, const Message&, model::Context<Message>&) const {}
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::NodeInvariant<State, bool>(
        {.name = "not-seven", .text = "Nobody gets to seven.", .stable = true},
        [](NodeId, const State& s) { return s.n == 7 ? std::optional(true) : std::nullopt; },
        [](bool) { return true; })};
  }
};

TEST(ReductionTrapsTest, NothingIsPutOffForEver) { ExpectFound(MerryGoRound{}, {}, "not-seven"); }

// Node 1 hears z from node 0, and x and then y from node 2. x does not matter; y before z does.
struct BehindTheHead {
  static constexpr uint32_t kX = 1, kY = 2, kZ = 3;
  using State = Number;
  using Message = Number;
  uint32_t node_count() const { return 3; }
  model::Network network() const { return {.kind = model::NetworkKind::kStreams}; }
  State Initial(NodeId) const { return {}; }
  void OnMessage(State& state, NodeId, const Message& message, model::Context<Message>&) const {
    if (message.n == kZ && state.n == kY) state.n = 7;
    if (message.n != kX && state.n == 0) state.n = message.n;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return MerryGoRound{}.Invariants();
  }
};

TEST(ReductionTrapsTest, WhatWaitsBehindTheHeadOfAStreamCounts) {
  const auto to_one = [](uint32_t from, uint32_t n) {
    return model::Message{NodeId(from), NodeId(1), model::Encode(Number{n})};
  };
  ExpectFound(
      BehindTheHead{},
      {to_one(0, BehindTheHead::kZ), to_one(2, BehindTheHead::kX), to_one(2, BehindTheHead::kY)},
      "not-seven");
}

}  // namespace
}  // namespace foretell::search
