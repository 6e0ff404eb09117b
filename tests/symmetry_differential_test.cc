// Random services whose nodes are interchangeable, and some that only say so, with symmetry and
// without, against an obvious search. FORETELL_SYMMETRY_COUNT checks more than the usual 2,000.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "foretell/integration/random/symmetric_service.h"
#include "foretell/lmc/lmc_explorer.h"
#include "foretell/search/naive_search.h"
#include "foretell/search/graphs/node_graphs.h"
#include "foretell/search/reduction.h"
#include "foretell/search/state_search.h"
#include "foretell/search/symmetry/symmetry.h"
#include "foretell/tests/support/engines.h"
#include "foretell/tests/support/orbits.h"

namespace foretell::tests {
namespace {

using integration::MakeSymmetricSystem;
using integration::SymmetryLie;
using model::NodeId;
using model::SystemCut;
using search::GlobalSpace;
using search::GlobalState;

constexpr uint64_t kShards = 4;
constexpr uint64_t kStatesMax = 250;

uint64_t Count() {
  const char* const text = std::getenv("FORETELL_SYMMETRY_COUNT");
  const uint64_t count = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return count == 0 ? 2'000 : count;
}

enum class Reduced { kNo, kPersistentSets };

// Every state that is expanded: their orbits, and those of terminal ones.
class Watch final : public search::Reduction {
 public:
  Watch(GlobalSpace& space, const Orbits& orbits, search::Reduction* inner)
      : space_(space), orbits_(orbits), inner_(inner) {}
  size_t Choose(const GlobalState& state, std::vector<search::Move>& moves) override {
    const SystemCut least = orbits_.Least(space_.CutOf(state));
    ++states_;
    all_.insert(least);
    if (moves.empty()) terminals_.insert(least);
    return inner_ != nullptr ? inner_->Choose(state, moves) : moves.size();
  }
  bool MayReturn() const override { return inner_ == nullptr || inner_->MayReturn(); }

  uint64_t states_ = 0;
  std::set<SystemCut> all_;
  std::set<SystemCut> terminals_;

 private:
  GlobalSpace& space_;
  const Orbits& orbits_;
  search::Reduction* const inner_;
};

// The states of a search with symmetry; nothing if it is refused.
std::optional<Watch> Search(const model::System& system, const Orbits& orbits, search::Order order,
                            Reduced reduced) {
  model::TransitionTable table(*system.service);
  model::InvariantTable invariants(table);
  GlobalSpace space(table);
  std::vector<std::string> notes;
  const auto quotient = search::MakeSymmetry(space, invariants, system.start, notes);
  model::Budget budget = Steps(10'000'000);
  search::NodeGraphs graphs(table, system.start);
  std::unique_ptr<search::PersistentSets> sets;
  if (reduced == Reduced::kPersistentSets) {
    EXPECT_TRUE(graphs.Grow(UINT32_MAX, budget, {}));
    sets = search::PersistentSets::Make(space, invariants, graphs, invariants.all(), budget);
    if (quotient && !quotient->Verify(budget)) return std::nullopt;
  }
  Watch watch(space, orbits, sets.get());
  search::SearchOptions options;
  options.order = order;
  search::StateSearch state_search(space, invariants, options, &watch, nullptr, quotient.get());
  // No invariant has this number, so that it never stops early.
  const auto result =
      state_search.Run(space.Start(system.start), model::InvariantSet{1} << 63, budget);
  if (quotient && quotient->complaint()) return std::nullopt;
  EXPECT_TRUE(result.exhausted);
  return watch;
}

std::set<std::string> Violated(const model::Report& report) {
  std::set<std::string> names;
  for (const model::Violation& violation : report.violations) names.insert(violation.invariant);
  return names;
}

// What an engine with symmetry finds; nothing if it refuses.
std::optional<model::Report> Find(const model::System& system, const std::string& name) {
  model::ExploreOptions all;
  all.all_invariants = true;
  search::SearchOptions options{all};
  options.quotient = search::MakeSymmetry;
  lmc::LmcOptions local{all, lmc::Combine::kByProjection, lmc::Assertions::kVerify};
  local.quotient = search::MakeSymmetry;
  const auto explorer = name == "global" ? search::MakeGlobalExplorer(*system.service, options)
                        : name == "por"  ? search::MakePorExplorer(*system.service, options)
                                         : lmc::MakeLmcExplorer(*system.service, local);
  model::Budget budget = Steps(10'000'000);
  auto report = explorer->Explore(system.start, budget);
  if (!report.ok()) {
    EXPECT_EQ(report.status().message().find("not symmetric: "), 0u) << report.status();
    return std::nullopt;
  }
  ExpectSound(*system.service, system.start, *report);
  return *std::move(report);
}

// Verdicts of all engines. False if one refused.
bool SameVerdicts(const model::System& system, const search::NaiveResult& naive) {
  bool accepted = true;
  for (const char* engine : {"global", "por", "lmc"}) {
    const auto report = Find(system, engine);
    if (!report) {
      accepted = false;
      continue;
    }
    std::set<std::string> truth = naive.ViolatedNames();
    const bool local = engine == std::string("lmc");
    if (local) truth.erase("many-in-the-end");  // It does not look at ends.
    EXPECT_EQ(Violated(*report), truth) << engine;
    EXPECT_TRUE(report->complete || local) << engine;
  }
  return accepted;
}

class SymmetryDifferentialTest : public testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Shard, SymmetryDifferentialTest, testing::Range(uint64_t{0}, kShards));

// Calls `check` with services of the shard that are small enough, `Count()` of all shards.
template <class Check>
void ForEachSmall(uint64_t shard, uint64_t count, SymmetryLie lie, Check check) {
  uint64_t seed = 1 + shard * 10'000'000;
  for (uint64_t done = 0; done < count; ++seed) {
    const model::System system = MakeSymmetricSystem(seed, lie);
    const auto naive = search::NaiveSearch(*system.service, system.start, kStatesMax);
    if (!naive.finished || naive.states < 4) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    ++done;
    check(system, naive);
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(SymmetryDifferentialTest, SameViolationsSameTerminalStates) {
  uint64_t states = 0;
  uint64_t followed = 0;
  uint64_t violated = 0;
  ForEachSmall(
      GetParam(), Count() / kShards, SymmetryLie::kNone,
      [&](const auto& system, const auto& naive) {
        EXPECT_TRUE(SameVerdicts(system, naive)) << "refused";
        const Orbits orbits(*system.service);
        const auto terminals = orbits.Of(naive.terminals);
        for (const Reduced reduced : {Reduced::kNo, Reduced::kPersistentSets}) {
          const auto order =
              naive.states % 2 == 0 ? search::Order::kBreadthFirst : search::Order::kDepthFirst;
          const auto seen = Search(system, orbits, order, reduced);
          ASSERT_TRUE(seen.has_value());
          EXPECT_EQ(seen->terminals_, terminals);
          // At most 24 permutations: no two states of one orbit.
          if (reduced == Reduced::kNo && !naive.violated.contains(model::kLocalAssertions)) {
            EXPECT_EQ(seen->states_, seen->all_.size());
          }
          followed += seen->states_;
        }
        states += 2 * naive.states;
        violated += naive.violated.empty() ? 0 : 1;
      });
  EXPECT_LT(followed, states / 2);  // Or there was nothing to be gained, and the test says nothing.
  EXPECT_GT(violated, Count() / kShards / 4);
}

// Whoever lies is refused, or it makes no difference to anything that was run.
TEST_P(SymmetryDifferentialTest, LiesAreRefusedOrMakeNoDifference) {
  for (const SymmetryLie lie :
       {SymmetryLie::kNode, SymmetryLie::kOrder, SymmetryLie::kInvariant, SymmetryLie::kStart}) {
    uint64_t refused = 0;
    uint64_t looked_at = 0;
    const uint64_t count = std::max<uint64_t>(Count() / kShards / 16, 32);
    ForEachSmall(GetParam(), count, lie, [&](const auto& system, const auto& naive) {
      refused += SameVerdicts(system, naive) ? 0 : 1;
      ++looked_at;
    });
    if (lie == SymmetryLie::kStart) {
      EXPECT_EQ(refused, 0u) << "the others are still interchangeable";
    } else {
      EXPECT_GT(refused, looked_at / 16) << static_cast<int>(lie);
    }
  }
}

}  // namespace
}  // namespace foretell::tests
