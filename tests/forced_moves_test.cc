// Forced moves that are followed and not stored, from the first state on: fewer states, the same
// verdicts. FORETELL_SEEDS: how many random services of each shard.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/integration/register/family.h"
#include "foretell/integration/synod/family.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/naive_search.h"
#include "foretell/search/graphs/node_graphs.h"
#include "foretell/search/reduction.h"
#include "foretell/search/state_search.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::NodeId;
using search::Order;

constexpr Order kOrders[] = {Order::kBreadthFirst, Order::kDepthFirst};

struct Seen {
  bool exhausted = false;
  std::set<std::string> violated;  // Each way to it was replayed.
  size_t longest = 0;              // Of these ways.
  uint64_t states = 0;
  uint64_t transitions = 0;
  uint64_t depth = 0;
};

Seen Search(const model::System& system, search::SearchOptions options) {
  model::TransitionTable table(*system.service);
  model::InvariantTable invariants(table);
  search::GlobalSpace space(table);
  search::NodeGraphs graphs(table, system.start);
  model::Budget budget = Steps(10'000'000);
  EXPECT_TRUE(graphs.Grow(UINT32_MAX, budget, {}));
  const model::InvariantSet wanted = invariants.all() | invariants.when_stuck();
  const auto sets = search::PersistentSets::Make(space, invariants, graphs, wanted, budget);
  sets->set_forced_from(0);
  options.all_invariants = true;
  search::StateSearch search(space, invariants, options, sets.get());
  const auto result = search.Run(space.Start(system.start), wanted, budget);
  Seen seen{result.exhausted, {}, 0, search.state_count(), result.transitions, result.depth};
  for (const auto& [invariant, state] : result.found) {
    const std::string& name = invariants.info(invariant).name;
    const model::Path path = search.PathTo(state);
    EXPECT_TRUE(model::Confirm(*system.service, system.start, name, path).ok()) << name;
    seen.violated.insert(name);
    seen.longest = std::max(seen.longest, path.size());
  }
  return seen;
}
Seen Search(const model::System& system, Order order) {
  search::SearchOptions options;
  options.order = order;
  return Search(system, options);
}

struct Tick {};

// Node 0 counts to 200, or counts round and round. Node 1, if there is one, can count to one, which
// must not be. Nor must node 0 be at `bad`.
struct CountProtocol {
  struct State {
    uint32_t count = 0;
    FORETELL_FIELDS(count)
  };
  using Message = Tick;
  using Action = Tick;
  static constexpr uint32_t kEnd = 200;

  uint32_t nodes = 1;
  bool round = false;
  uint32_t bad = UINT32_MAX;

  uint32_t node_count() const { return nodes; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    const bool can = node == NodeId(0) ? round || state.count < kEnd : state.count == 0;
    return can ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>&) const {
    state.count = round && state.count == kEnd ? 0 : state.count + 1;
  }
  void OnMessage(State&, NodeId, const Message&, model::Context<Message>&) const {}
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::NodeInvariant<State, bool>(
        {.name = "good", .text = "Nobody is where it must not be."},
        [bad = bad](NodeId node, const State& s) {
          return std::optional(node == NodeId(0) ? s.count == bad : s.count == 1);
        },
        [](bool is_bad) { return is_bad; })};
  }
};

model::System Counting(const CountProtocol& protocol) {
  model::System system;
  system.service = model::MakeService(protocol);
  system.start = model::InitialCut(*system.service);
  return system;
}

TEST(ForcedMovesTest, OneOfSixtyFourStatesIsStored) {
  for (const Order order : kOrders) {
    const Seen seen = Search(Counting({}), order);
    EXPECT_TRUE(seen.exhausted);
    EXPECT_EQ(seen.transitions, 200u);
    EXPECT_EQ(seen.states, 5u);  // 0, 64, 128, 192 and the end.
    EXPECT_EQ(seen.depth, 200u);
  }
}

TEST(ForcedMovesTest, WhatIsViolatedOnTheWayIsFoundWithItsWay) {
  for (const Order order : kOrders) {
    const Seen seen = Search(Counting({.bad = 100}), order);
    EXPECT_EQ(seen.violated.count("good"), 1u);
    EXPECT_EQ(seen.longest, 100u);
    EXPECT_TRUE(seen.exhausted);
  }
}

// Else what the other node may do would be put off for ever.
TEST(ForcedMovesTest, ACycleOfForcedMovesIsNoticed) {
  for (const Order order : kOrders) {
    const Seen seen = Search(Counting({.nodes = 2, .round = true}), order);
    EXPECT_EQ(seen.violated.count("good"), 1u);
    EXPECT_LE(seen.longest, 202u);  // Not round and round.
    EXPECT_TRUE(seen.exhausted);
  }
}

TEST(ForcedMovesTest, ABoundOnDepthCountsEveryMove) {
  search::SearchOptions bounded;
  bounded.depth_max = 99;
  const Seen seen = Search(Counting({.bad = 100}), bounded);
  EXPECT_TRUE(seen.violated.empty());
  EXPECT_FALSE(seen.exhausted);
  bounded.depth_max = 100;
  EXPECT_EQ(Search(Counting({.bad = 100}), bounded).violated.count("good"), 1u);
}

// Of 2,961, 2,093 and 12,450 (tests/table1_test.cc).
TEST(ForcedMovesTest, StatesOfTableOneArePinned) {
  const integration::synod::Family synod;
  const integration::registers::Family registers;
  for (const Order order : kOrders) {
    EXPECT_EQ(Search(MakeOrDie(synod, "paxos-6"), order).states, 599u);
    EXPECT_EQ(Search(MakeOrDie(registers, "register-5"), order).states, 389u);
  }
  EXPECT_EQ(Search(MakeOrDie(registers, "register-6"), Order::kBreadthFirst).states, 2'094u);
}

constexpr uint64_t kShards = 8;
constexpr uint64_t kStatesMax = 1'000;

uint64_t Seeds() {
  const char* const seeds = std::getenv("FORETELL_SEEDS");
  return seeds != nullptr ? std::strtoull(seeds, nullptr, 10) : 250;
}

class ForcedMovesDifferentialTest : public testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Shard, ForcedMovesDifferentialTest, testing::Range(uint64_t{0}, kShards));

TEST_P(ForcedMovesDifferentialTest, TheNaiveSearchFindsTheSameViolations) {
  uint64_t judged = 0;
  uint64_t broken = 0;
  for (uint64_t i = 0; i < Seeds(); ++i) {
    const uint64_t seed = 1 + GetParam() * 1'000'000 + i;
    const model::System system = integration::MakeRandomSystem(integration::RandomSpec(seed));
    const auto naive = search::NaiveSearch(*system.service, system.start, kStatesMax);
    if (!naive.finished) continue;
    ++judged;
    std::set<std::string> violated;
    for (const auto& [name, path] : naive.violated) violated.insert(name);
    broken += violated.empty() ? 0 : 1;
    for (const Order order : kOrders) {
      const Seen seen = Search(system, order);
      EXPECT_EQ(seen.violated, violated) << "seed " << seed;
      EXPECT_LE(seen.states, naive.states) << "seed " << seed;
    }
  }
  EXPECT_GT(judged, Seeds() / 4);
  EXPECT_GT(broken, 0u);  // Or the test says nothing.
}

}  // namespace
}  // namespace foretell::tests
