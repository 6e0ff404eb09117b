// What the reduction must keep: every terminal state. And what it stands on: graphs that hold every
// real step. Both against exhaustive searches of random services.

#include <gtest/gtest.h>

#include <set>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/graphs/node_graphs.h"
#include "foretell/search/naive_search.h"
#include "foretell/search/reduction.h"
#include "foretell/search/state_search.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::NodeId;
using search::GlobalSpace;
using search::GlobalState;
using search::Move;
using search::NodeGraphs;

constexpr uint64_t kShards = 8;
constexpr uint64_t kSeedsPerShard = 50;
constexpr uint64_t kStatesMax = 1'000;
// No invariant has this number, so a search that wants it never stops early.
constexpr model::InvariantSet kNever = model::InvariantSet{1} << 63;

model::SystemCut CutOf(const model::Service& service, GlobalSpace& space, const GlobalState& at) {
  return model::PlainSystem(service, space.CutOf(at)).Canonical();
}

// Sees every state that a search expands: counts the moves that the graphs do not have, and takes
// down terminal states. Leaves the choice to another reduction, if there is one.
class Watch final : public search::Reduction {
 public:
  Watch(const model::Service& service, GlobalSpace& space, const NodeGraphs& graphs,
        search::Reduction* inner)
      : service_(service), space_(space), graphs_(graphs), inner_(inner) {}

  size_t Choose(const GlobalState& state, std::vector<Move>& moves) override {
    if (moves.empty()) terminals_.insert(CutOf(service_, space_, state));
    for (const Move& move : moves) {
      missing_ += graphs_.HasEdge(move.node, state.state(move.node), move.event) ? 0 : 1;
    }
    return inner_ ? inner_->Choose(state, moves) : moves.size();
  }
  bool MayReturn() const override { return inner_ == nullptr || inner_->MayReturn(); }
  // Not one state more than must be.
  uint32_t forced_from() const override { return inner_ == nullptr ? kNever : 0; }
  const std::set<model::SystemCut>& terminals() const { return terminals_; }
  uint64_t missing() const { return missing_; }

 private:
  const model::Service& service_;
  GlobalSpace& space_;
  const NodeGraphs& graphs_;
  search::Reduction* const inner_;
  std::set<model::SystemCut> terminals_;
  uint64_t missing_ = 0;
};

struct Seen {
  std::set<model::SystemCut> terminals;
  uint64_t missing = 0;
  uint64_t states = 0;
};

enum class Reduced { kNo, kIgnoringInvariants, kForAllInvariants };

Seen Search(const model::System& system, search::Order order, Reduced reduced) {
  model::TransitionTable table(*system.service);
  model::InvariantTable invariants(table);
  GlobalSpace space(table);
  NodeGraphs graphs(table, system.start);
  model::Budget budget = Steps(10'000'000);
  EXPECT_TRUE(graphs.Grow(UINT32_MAX, budget, {}));
  const auto sets = search::PersistentSets::Make(
      space, invariants, graphs, reduced == Reduced::kForAllInvariants ? invariants.all() : 0,
      budget);
  Watch watch(*system.service, space, graphs, reduced == Reduced::kNo ? nullptr : sets.get());
  search::SearchOptions options;
  options.order = order;
  search::StateSearch state_search(space, invariants, options, &watch);
  EXPECT_TRUE(state_search.Run(space.Start(system.start), kNever, budget).exhausted);
  return {watch.terminals(), watch.missing(), state_search.state_count()};
}

// Calls `check` with each random service of the shard that is small enough for a naive search.
template <class Check>
void ForEachSmall(uint64_t shard, Check check) {
  uint64_t small = 0;
  for (uint64_t i = 0; i < kSeedsPerShard; ++i) {
    const uint64_t seed = 1 + shard * 1'000'000 + i;
    const model::System system = integration::MakeRandomSystem(integration::RandomSpec(seed));
    const auto naive = search::NaiveSearch(*system.service, system.start, kStatesMax);
    if (!naive.finished) continue;
    ++small;
    check(seed, system, naive);
  }
  EXPECT_GT(small, kSeedsPerShard / 4);
}

class TerminalStatesTest : public testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Shard, TerminalStatesTest, testing::Range(uint64_t{0}, kShards));

TEST_P(TerminalStatesTest, TheReductionKeepsThemAll) {
  uint64_t all = 0;
  uint64_t followed = 0;
  ForEachSmall(GetParam(), [&](uint64_t seed, const auto& system, const auto& naive) {
    for (const auto order : {search::Order::kBreadthFirst, search::Order::kDepthFirst}) {
      for (const auto reduced : {Reduced::kIgnoringInvariants, Reduced::kForAllInvariants}) {
        const Seen seen = Search(system, order, reduced);
        EXPECT_TRUE(seen.terminals == naive.terminals) << "seed " << seed;
        all += naive.states;
        followed += seen.states;
      }
    }
  });
  EXPECT_LT(followed, all);  // Or it reduced nothing, and the test says nothing.
}

TEST_P(TerminalStatesTest, TheGraphsHoldEveryRealStep) {
  ForEachSmall(GetParam(), [](uint64_t seed, const auto& system, const auto& naive) {
    const Seen seen = Search(system, search::Order::kBreadthFirst, Reduced::kNo);
    EXPECT_EQ(seen.missing, 0u) << "seed " << seed;
    EXPECT_EQ(seen.states, naive.states) << "seed " << seed;
    EXPECT_TRUE(seen.terminals == naive.terminals) << "seed " << seed;
  });
}

}  // namespace
}  // namespace foretell::tests
