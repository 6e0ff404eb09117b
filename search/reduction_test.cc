#include "foretell/search/reduction.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/naive_search.h"

namespace foretell::search {
namespace {

using model::Budget;
using model::NodeId;
using model::Report;

struct Number {
  uint32_t n = 0;
  FORETELL_FIELDS(n)
};

enum class Receiver { kAdds, kOverwrites };

// Nodes 1, 2 and 3 count to two and then send their number to node 0, who adds up what it gets or
// remembers the last. That nodes 1 and 2 are at one together breaks an invariant, but not for long.
struct FanInProtocol {
  using State = Number;
  using Message = Number;
  using Action = Number;
  Receiver receiver = Receiver::kAdds;
  bool watched = false;
  bool stable = false;
  model::Network net;
  uint8_t crashes_max = 0;

  uint32_t node_count() const { return 4; }
  model::Network network() const { return net; }
  model::FaultBudget faults(NodeId node) const {
    return {.crashes_max = node == NodeId(0) ? crashes_max : uint8_t{0}};
  }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return node != NodeId(0) && state.n < 2 ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    if (++state.n == 2) context.Send(NodeId(0), {context.self().value()});
  }
  void OnMessage(State& state, NodeId, const Message& message, model::Context<Message>&) const {
    state.n = receiver == Receiver::kAdds ? state.n + message.n : message.n;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    if (!watched) return {};
    return {model::PairInvariant<State, uint32_t>(
        {.name = "apart", .text = "Nodes 1 and 2 are not both at one.", .stable = stable},
        [](NodeId node, const State& s) {
          const bool seen = node == NodeId(1) || node == NodeId(2);
          return seen ? std::optional(s.n) : std::nullopt;
        },
        [](uint32_t a, uint32_t b) { return a == 1 && b == 1; })};
  }
};

struct Outcome {
  Report report;
  NaiveResult naive;
};

Outcome Explore(const FanInProtocol& protocol) {
  const auto service = model::MakeService(protocol);
  const model::SystemCut start = model::InitialCut(*service);
  Budget budget({.steps_max = 1'000'000}, [] { return Budget::Time{}; });
  SearchOptions options;
  options.all_invariants = true;
  options.minimise = false;  // Here the reduction is looked at alone.
  auto report = MakePorExplorer(*service, options)->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  return {*std::move(report), NaiveSearch(*service, start, 100'000)};
}

TEST(ReductionTest, WhatCommutesIsDoneInOneOrder) {
  const Outcome outcome = Explore({});
  EXPECT_TRUE(outcome.report.complete);
  EXPECT_EQ(outcome.report.stats.global_states, 10u);  // Nine steps in a row.
  EXPECT_EQ(outcome.naive.states, 64u);
}

TEST(ReductionTest, WhatDoesNotCommuteIsDoneInEveryOrder) {
  const Outcome outcome = Explore({.receiver = Receiver::kOverwrites});
  EXPECT_TRUE(outcome.report.complete);
  EXPECT_GT(*outcome.report.stats.global_states, 10u);
  EXPECT_LT(*outcome.report.stats.global_states, outcome.naive.states);
}

TEST(ReductionTest, WhatAnUnstableInvariantSeesIsNotTakenAlone) {
  const Outcome outcome = Explore({.watched = true});
  ASSERT_EQ(outcome.report.violations.size(), 1u);
  EXPECT_EQ(outcome.naive.violated.count("apart"), 1u);
}

// What model/service.h says of a wrong claim. If this fails, stability no longer buys anything.
TEST(ReductionTest, AWrongClaimOfStabilityHidesTheViolation) {
  const Outcome outcome = Explore({.watched = true, .stable = true});
  EXPECT_TRUE(outcome.report.violations.empty());
  EXPECT_EQ(outcome.report.stats.global_states, 10u);
}

TEST(ReductionTest, AFaultIsTriedEverywhereItMatters) {
  const Outcome outcome = Explore({.receiver = Receiver::kAdds, .crashes_max = 1});
  EXPECT_TRUE(outcome.report.complete);
  // Node 0 can lose any part of the sum: a path for each moment of the crash at least.
  EXPECT_GT(*outcome.report.stats.global_states, 20u);
  EXPECT_LT(*outcome.report.stats.global_states, outcome.naive.states);
}

TEST(ReductionTest, StreamsFromDifferentNodesCommuteToo) {
  const model::Network streams{.kind = model::NetworkKind::kStreams};
  EXPECT_EQ(Explore({.net = streams}).report.stats.global_states, 10u);
}

}  // namespace
}  // namespace foretell::search
