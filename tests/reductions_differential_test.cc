// All reductions on and off, alone and together, against the naive search on random services, every
// fourth of them with interchangeable nodes: the same violated invariants, and ends of runs that
// look the same to all invariants. FORETELL_REDUCTIONS_COUNT checks more than the usual 2,000.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/integration/random/symmetric_service.h"
#include "foretell/search/graphs/node_graphs.h"
#include "foretell/search/minimise/minimised_nodes.h"
#include "foretell/search/naive_search.h"
#include "foretell/search/reduction.h"
#include "foretell/search/state_search.h"
#include "foretell/search/symmetry/symmetry.h"
#include "foretell/tests/support/engines.h"
#include "foretell/tests/support/orbits.h"

namespace foretell::tests {
namespace {

using model::NodeId;
using model::SystemCut;
using search::Order;

constexpr uint64_t kShards = 8;
constexpr uint64_t kSymmetricOneIn = 4;
constexpr uint64_t kStatesMax = 300;
// No invariant has this number: a search that wants it never stops early.
constexpr model::InvariantSet kNever = model::InvariantSet{1} << 63;

uint64_t Count() {
  const char* const text = std::getenv("FORETELL_REDUCTIONS_COUNT");
  const uint64_t count = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return count == 0 ? 2'000 : count;
}

// What is on. Classes of node states and of nodes are made one or the other, as in the explorers.
struct Combination {
  bool por = false;
  bool minimised = false;
  bool symmetric = false;
  bool forced = false;  // Moves that follow are not stored; with por only.
  Order order = Order::kBreadthFirst;

  std::string Name() const {
    return absl::StrCat(por ? "por " : "", minimised ? "minimised " : "",
                        symmetric ? "symmetric " : "", forced ? "forced " : "",
                        order == Order::kBreadthFirst ? "bfs" : "dfs");
  }
};

std::vector<Combination> Combinations(bool symmetric) {
  std::vector<Combination> all;
  for (const Order order : {Order::kBreadthFirst, Order::kDepthFirst}) {
    for (const bool por : {false, true}) {
      for (const bool forced : {false, true}) {
        if (forced && !por) continue;
        all.push_back({.por = por, .forced = forced, .order = order});
        all.push_back({.por = por, .minimised = true, .forced = forced, .order = order});
        if (!symmetric) continue;
        all.push_back({.por = por, .symmetric = true, .forced = forced, .order = order});
      }
    }
  }
  return all;
}

// What safety invariants see of a state, and which nodes live. Liveness predicates are not looked
// for, and reductions need not keep what they see.
using Look = std::vector<std::string>;

Look LookAt(const model::Service& service, const SystemCut& cut) {
  Look look;
  for (uint32_t n = 0; n < cut.nodes.size(); ++n) {
    const model::NodeState& node = cut.nodes[n];
    look.push_back(absl::StrCat(static_cast<int>(node.status)));
    if (model::IsSilent(node)) continue;
    for (size_t i = 0; i < service.invariants().size(); ++i) {
      if (service.invariants()[i].eventually) continue;
      look.push_back(service.Project(i, NodeId(n), node.body).value_or("-"));
    }
  }
  return look;
}

// The ends of runs, as they are reached by a search with or without a reduction.
class Ends final : public search::Reduction {
 public:
  Ends(search::GlobalSpace& space, const Orbits& orbits, bool symmetric,
       search::PersistentSets* inner)
      : space_(space), orbits_(orbits), symmetric_(symmetric), inner_(inner) {}

  size_t Choose(const search::GlobalState& state, std::vector<search::Move>& moves) override {
    if (moves.empty()) {
      const SystemCut cut = space_.CutOf(state);
      looks_.insert(LookAt(space_.table().service(), symmetric_ ? orbits_.Least(cut) : cut));
    }
    return inner_ != nullptr ? inner_->Choose(state, moves) : moves.size();
  }
  bool MayReturn() const override { return inner_ == nullptr || inner_->MayReturn(); }
  uint32_t forced_from() const override {
    return inner_ == nullptr ? kNever : inner_->forced_from();
  }
  const std::set<Look>& looks() const { return looks_; }

 private:
  search::GlobalSpace& space_;
  const Orbits& orbits_;
  const bool symmetric_;
  search::PersistentSets* const inner_;
  std::set<Look> looks_;
};

struct Seen {
  std::set<std::string> violated;
  std::set<Look> ends;
  uint64_t states = 0;
};

Seen Search(const model::System& system, const Orbits& orbits, const Combination& on) {
  model::TransitionTable table(*system.service);
  model::InvariantTable invariants(table);
  search::GlobalSpace space(table);
  search::NodeGraphs graphs(table, system.start);
  model::Budget budget = Steps(10'000'000);
  const model::InvariantSet wanted = invariants.all() | invariants.when_stuck();
  std::vector<std::string> notes;
  std::unique_ptr<search::Quotient> quotient;
  if (on.symmetric) quotient = search::MakeSymmetry(space, invariants, system.start, notes);
  EXPECT_TRUE(graphs.Grow(UINT32_MAX, budget, {}));
  std::unique_ptr<search::MinimisedNodes> nodes;
  if (on.minimised) {
    nodes = search::MinimisedNodes::Make(table, invariants, graphs, wanted, search::Inert::kDropped,
                                         budget);
    EXPECT_NE(nodes, nullptr);
    space.Minimise(*nodes);
  }
  std::unique_ptr<search::PersistentSets> sets;
  if (on.por) {
    const search::StepGraph& graph =
        on.minimised ? static_cast<const search::StepGraph&>(*nodes) : graphs;
    sets = search::PersistentSets::Make(space, invariants, graph, wanted, budget);
    sets->set_forced_from(on.forced ? 0 : search::Reduction::kNever);
    EXPECT_TRUE(!quotient || quotient->Verify(budget));
  }
  Ends ends(space, orbits, on.symmetric, sets.get());
  search::SearchOptions options;
  options.all_invariants = true;
  options.order = on.order;
  search::StateSearch search(space, invariants, options, &ends, nullptr, quotient.get());
  const auto result = search.Run(space.Start(system.start), wanted | kNever, budget);
  EXPECT_TRUE(result.exhausted);
  Seen seen{{}, ends.looks(), search.state_count()};
  for (const auto& [invariant, state] : result.found) {
    const std::string& name = invariants.info(invariant).name;
    const model::Path path = search.PathTo(state);
    EXPECT_TRUE(model::Confirm(*system.service, system.start, name, path).ok()) << name;
    seen.violated.insert(name);
  }
  return seen;
}

std::set<Look> EndsOf(const model::Service& service, const Orbits& orbits,
                      const search::NaiveResult& naive, bool symmetric) {
  std::set<Look> looks;
  for (const SystemCut& cut : naive.terminals) {
    looks.insert(LookAt(service, symmetric ? orbits.Least(cut) : cut));
  }
  return looks;
}

class ReductionsDifferentialTest : public testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Shard, ReductionsDifferentialTest, testing::Range(uint64_t{0}, kShards));

TEST_P(ReductionsDifferentialTest, SameViolationsAndSameEndsAloneAndTogether) {
  uint64_t judged = 0;
  uint64_t broken = 0;
  uint64_t all = 0;
  uint64_t followed = 0;
  for (uint64_t seed = 1 + GetParam() * 10'000'000; judged < Count() / kShards; ++seed) {
    const bool symmetric = judged % kSymmetricOneIn == 0;
    const model::System system =
        symmetric ? integration::MakeSymmetricSystem(seed)
                  : integration::MakeRandomSystem(integration::RandomSpec(seed));
    const auto naive = search::NaiveSearch(*system.service, system.start, kStatesMax);
    if (!naive.finished) continue;
    ++judged;
    broken += naive.violated.empty() ? 0 : 1;
    const Orbits orbits(*system.service);
    for (const Combination& on : Combinations(symmetric)) {
      SCOPED_TRACE(absl::StrCat("seed ", seed, symmetric ? " symmetric" : "", ": ", on.Name()));
      const Seen seen = Search(system, orbits, on);
      EXPECT_EQ(seen.violated, naive.ViolatedNames());
      EXPECT_EQ(seen.ends, EndsOf(*system.service, orbits, naive, on.symmetric));
      all += naive.states;
      followed += seen.states;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(broken, judged / 8);  // Or the test says nothing.
  EXPECT_LT(followed, all);
}

}  // namespace
}  // namespace foretell::tests
