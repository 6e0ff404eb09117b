// The worked examples of the papers, with the counts that the papers give.

#include <gtest/gtest.h>

#include "foretell/integration/examples/accumulator.h"
#include "foretell/integration/examples/tree.h"
#include "foretell/search/naive_search.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using integration::examples::MakeAccumulatorFamily;
using integration::examples::MakeTreeFamily;

// LMC figure 3 draws 12 states: one per arrow, and the first. 9 of them are distinct.
TEST(ExamplesTest, TheTreeHasTwelveGlobalStatesAsDrawn) {
  const model::System tree = MakeOrDie(*MakeTreeFamily(), "figure-2");
  const model::Report report = Explore(tree, "global");
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.stats.global_states, 9u);
  EXPECT_EQ(*report.stats.transitions + 1, 12u);
}

// LMC figure 4: two states of node 0 and two of node 4. "----r" is invalid and is rejected.
TEST(ExamplesTest, TheTreeHasFourSystemStates) {
  const model::System tree = MakeOrDie(*MakeTreeFamily(), "figure-2");
  const model::Report report = Explore(tree, "lmc-gen");
  EXPECT_EQ(report.outcome, model::Outcome::kNone);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.stats.system_states, 4u);
  EXPECT_EQ(report.stats.node_states, 7u);
  EXPECT_EQ(report.stats.soundness_checks, report.stats.soundness_rejections);
}

TEST(ExamplesTest, OnlyOneSystemStateOfTheTreeIsWorthCombining) {
  const model::System tree = MakeOrDie(*MakeTreeFamily(), "figure-2");
  const model::Report report = Explore(tree, "lmc");
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.stats.system_states, 1u);
  EXPECT_EQ(report.stats.soundness_rejections, 1u);
}

TEST(ExamplesTest, TheTreeReducedIsOnePath) {
  const model::System tree = MakeOrDie(*MakeTreeFamily(), "figure-2");
  const model::Report report = Explore(tree, "por");
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.outcome, model::Outcome::kNone);
  EXPECT_LE(*report.stats.global_states, 9u);
}

TEST(ExamplesTest, EveryEngineAgreesOnTheAccumulator) {
  const model::System system = MakeOrDie(*MakeAccumulatorFamily(), "figure-1");
  const auto naive = search::NaiveSearch(*system.service, system.start, 10'000);
  ASSERT_TRUE(naive.finished);
  for (const char* const engine : {"global", "por", "lmc", "lmc-gen"}) {
    const model::Report report = Explore(system, engine);
    EXPECT_TRUE(report.complete) << engine;
    EXPECT_EQ(report.outcome, model::Outcome::kNone) << engine;
  }
  const model::Report global = Explore(system, "global");
  EXPECT_EQ(global.stats.global_states, naive.states);
  EXPECT_EQ(global.stats.transitions, naive.transitions);
  EXPECT_LT(*Explore(system, "por").stats.global_states, naive.states);
}

}  // namespace
}  // namespace foretell::tests
