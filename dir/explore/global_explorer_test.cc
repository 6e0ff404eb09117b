#include "foretell/dir/explore/global_explorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "foretell/dir/testing/gossip.h"
#include "foretell/dir/testing/naive_traces.h"
#include "foretell/model/typed/fields.h"

namespace foretell::dir {
namespace {

using testing::GossipProtocol;
using testing::MakeGossip;

struct Found {
  std::set<Signature> skeletons;
  double global_traces = 0;
  uint64_t local_traces = 0;
  friend bool operator==(const Found&, const Found&) = default;
};

Found Reduce(const CheckSetting& setting, JobEngine& jobs, Checker checker = Checker::kDpor) {
  GlobalExplorer explorer(setting, checker, jobs);
  model::Budget budget = model::Budget::Unlimited();
  EXPECT_TRUE(explorer.Explore(budget, nullptr, nullptr));
  Tally tally = explorer.tally();
  explorer.CountTraces(tally);
  Found found{{}, tally.global_traces, tally.local_traces};
  for (const auto& skeleton : explorer.skeletons()) found.skeletons.insert(skeleton->signature);
  return found;
}

class GlobalExplorerTest : public ::testing::TestWithParam<bool> {
 protected:
  Dependency MakeDependency(const model::System& system) {
    if (!GetParam()) return Dependency::Conservative();
    model::Budget budget = model::Budget::Unlimited();
    GrownNodeGraphs grown(*system.service, system.start, budget);
    return Dependency::Exact(grown, /*check_invariants=*/false, event_numbers_, budget);
  }
  EventNumbers event_numbers_;
};
INSTANTIATE_TEST_SUITE_P(Exact, GlobalExplorerTest, ::testing::Bool());

TEST_P(GlobalExplorerTest, FindsWhatTheNaiveEnumerationFinds) {
  for (const uint8_t crashes : {uint8_t{0}, uint8_t{1}}) {
    const model::System system = MakeGossip({.nodes = 2, .crashes_max = crashes});
    const Dependency dependency = MakeDependency(system);
    const Components nodes = Components::Nodes(2);
    const CheckSetting setting{*system.service, system.start, nodes,
                               event_numbers_,  dependency,   Interface::kSendsAndReceives};
    testing::NaiveTraces naive(setting);
    ASSERT_TRUE(naive.Run(100'000));
    for (const Checker checker : {Checker::kDfs, Checker::kDpor}) {
      const auto jobs = MakeInlineEngine();
      const Found found = Reduce(setting, *jobs, checker);
      EXPECT_EQ(found.global_traces, static_cast<double>(naive.traces().size()));
      EXPECT_EQ(found.skeletons.size(), naive.skeletons().size());
      uint64_t local = 0;
      for (const auto& traces : naive.local_traces()) local += traces.size();
      EXPECT_EQ(found.local_traces, local);
    }
  }
}

TEST_P(GlobalExplorerTest, TheNumberOfThreadsDoesNotShow) {
  const model::System system = MakeGossip({.nodes = 3});
  const Dependency dependency = MakeDependency(system);
  const Components nodes = Components::Nodes(3);
  const CheckSetting setting{*system.service, system.start, nodes,
                             event_numbers_,  dependency,   Interface::kSends};
  const auto alone = MakeInlineEngine();
  const Found expected = Reduce(setting, *alone);
  EXPECT_GT(expected.skeletons.size(), 1u);
  for (const uint32_t threads : {1u, 2u, 4u}) {
    const auto jobs = MakeThreadEngine(threads);
    EXPECT_EQ(Reduce(setting, *jobs), expected) << threads;
  }
}

TEST_P(GlobalExplorerTest, ABudgetEndsItInTheMiddle) {
  const model::System system = MakeGossip({.nodes = 3});
  const Dependency dependency = MakeDependency(system);
  const Components nodes = Components::Nodes(3);
  const CheckSetting setting{*system.service, system.start, nodes, event_numbers_, dependency};
  for (const uint64_t steps : {0u, 1u, 5u, 20u}) {
    for (const uint32_t threads : {1u, 2u}) {
      const auto jobs = threads == 1 ? MakeInlineEngine() : MakeThreadEngine(threads);
      GlobalExplorer explorer(setting, Checker::kDpor, *jobs);
      model::Budget budget({.steps_max = steps}, [] { return model::Budget::Time{}; });
      EXPECT_FALSE(explorer.Explore(budget, nullptr, nullptr)) << steps;
    }
  }
}

// A unit may lead to a great many compositions.
TEST(GlobalProgressTest, ComesWhileSkeletonsAreComposed) {
  const model::System system = MakeGossip({.nodes = 3});
  const Dependency dependency = Dependency::Conservative();
  const Components nodes = Components::Nodes(3);
  EventNumbers event_numbers;
  const CheckSetting setting{*system.service, system.start, nodes,
                             event_numbers,   dependency,   Interface::kSendsAndReceives};
  const auto jobs = MakeInlineEngine();
  GlobalExplorer explorer(setting, Checker::kDpor, *jobs);
  model::Budget budget = model::Budget::Unlimited();
  uint64_t told = 0;
  ASSERT_TRUE(explorer.Explore(budget, nullptr, [&told](const Tally&) { ++told; }));
  const Tally tally = explorer.tally();
  ASSERT_GT(tally.compositions, 256u);
  EXPECT_GT(told, tally.units);
}

// Counts on the way are comparable with the counts in the end.
TEST_P(GlobalExplorerTest, LocalTracesSoFarAreNoMoreThanThereAre) {
  const model::System system = MakeGossip({.nodes = 3});
  const Dependency dependency = MakeDependency(system);
  const Components nodes = Components::Nodes(3);
  const CheckSetting setting{*system.service, system.start, nodes, event_numbers_, dependency};
  const auto jobs = MakeInlineEngine();
  GlobalExplorer explorer(setting, Checker::kDpor, *jobs);
  model::Budget budget = model::Budget::Unlimited();
  std::vector<uint64_t> so_far;
  EXPECT_TRUE(explorer.Explore(budget, nullptr,
                               [&](const Tally& tally) { so_far.push_back(tally.local_traces); }));
  EXPECT_TRUE(std::is_sorted(so_far.begin(), so_far.end()));
  Tally tally = explorer.tally();
  explorer.CountTraces(tally);
  EXPECT_EQ(so_far.back(), tally.local_traces);
  EXPECT_GT(tally.explored_traces, tally.local_traces) << "otherwise this proves nothing";
}

class MemoryJournal final : public Journal {
 public:
  void Write(const UnitResult& result) override { results.push_back(result); }
  std::vector<UnitResult> results;
};

// One node that stops at once or, if it so chooses, goes on for a while.
struct WandererProtocol {
  struct State {
    uint32_t left = 1;
    bool chosen = false;
    FORETELL_FIELDS(left, chosen)
  };
  struct Step {};
  using Message = Step;
  using Action = Step;
  uint32_t node_count() const { return 1; }
  State Initial(model::NodeId) const { return {}; }
  std::vector<Action> Actions(model::NodeId, const State& state) const {
    return state.left > 0 ? std::vector<Action>{Step{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    --state.left;
    if (!state.chosen && context.Choose(2) == 1) state.left = 9;
    state.chosen = true;
  }
  void OnMessage(State&, model::NodeId, const Message&, model::Context<Message>&) const {}
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
};

// Otherwise a later run without the bound would take a part for the whole.
TEST(JournalOfABoundTest, WhatABoundHasCutOffIsNotWrittenDown) {
  const auto service = model::MakeService(WandererProtocol{});
  const model::SystemCut start = model::InitialCut(*service);
  const Dependency dependency = Dependency::Conservative();
  const Components nodes = Components::Nodes(1);
  for (const uint32_t depth : {5u, 100u}) {
    EventNumbers event_numbers;
    const CheckSetting setting{.service = *service,
                               .start = start,
                               .components = nodes,
                               .event_numbers = event_numbers,
                               .dependency = dependency,
                               .depth_max = depth};
    const auto jobs = MakeInlineEngine();
    GlobalExplorer explorer(setting, Checker::kDpor, *jobs);
    MemoryJournal journal;
    explorer.set_journal(&journal);
    model::Budget budget = model::Budget::Unlimited();
    EXPECT_EQ(explorer.Explore(budget, nullptr, nullptr), depth == 100);
    EXPECT_EQ(journal.results.size(), depth == 100 ? 1u : 0u) << depth;
  }
}

}  // namespace
}  // namespace foretell::dir
