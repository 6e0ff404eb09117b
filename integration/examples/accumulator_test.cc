#include "foretell/integration/examples/accumulator.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "foretell/integration/testing/naive_bfs.h"
#include "foretell/integration/testing/trace_count.h"

namespace foretell::integration::examples {
namespace {

using testing::MakeOrDie;

// What happened at each node, in order. Steps of different nodes commute unless one sent what the
// other received, which these sequences imply: so they stand for a Mazurkiewicz trace.
using Trace = std::vector<std::vector<model::PathStep>>;

void CollectMaximal(const model::PlainSystem& system, Trace& trace, std::set<Trace>& maximal) {
  const std::vector<model::PathStep> enabled = system.Enabled();
  if (enabled.empty()) maximal.insert(trace);
  for (const model::PathStep& step : enabled) {
    model::PlainSystem after = system;
    ASSERT_TRUE(after.Apply(step).ok());
    auto& of_node = trace[step.node.index()];
    of_node.push_back(step);
    CollectMaximal(after, trace, maximal);
    of_node.pop_back();
  }
}

std::set<Trace> MaximalTraces(const model::System& system) {
  Trace trace(system.service->node_count());
  std::set<Trace> maximal;
  CollectMaximal(model::PlainSystem(*system.service, system.start), trace, maximal);
  return maximal;
}

// Section 2.3: 2 * 3 * 3 executions without interface reduction.
TEST(AccumulatorTest, HasEighteenExecutionsUpToCommutation) {
  const model::System system = MakeOrDie(*MakeAccumulatorFamily(), "figure-1");
  EXPECT_EQ(MaximalTraces(system).size(), 18u);
}

// Section 2.3: 2 * (1 + 3 + 3) executions with it.
TEST(AccumulatorTest, HasFourteenLocalExecutions) {
  const model::System system = MakeOrDie(*MakeAccumulatorFamily(), "figure-1");
  std::vector<std::set<std::vector<model::PathStep>>> local(3);
  for (const Trace& trace : MaximalTraces(system)) {
    for (size_t n = 0; n < trace.size(); ++n) local[n].insert(trace[n]);
  }
  EXPECT_EQ(local[0].size(), 2u);
  EXPECT_EQ(local[1].size(), 6u);
  EXPECT_EQ(local[2].size(), 6u);
}

// Section 2.3: (n + 1) ^ m.
TEST(AccumulatorTest, CheckpointsMultiplyExecutions) {
  for (uint32_t numbers = 1; numbers <= 3; ++numbers) {
    uint64_t expected = 1;
    for (uint32_t servers = 1; servers <= 3; ++servers) {
      expected *= numbers + 1;
      const model::System system = MakeAccumulatorSystem(numbers, servers);
      EXPECT_EQ(testing::TraceCount(system).Run(), expected) << numbers << " " << servers;
    }
  }
  const model::System system = MakeOrDie(*MakeAccumulatorFamily(), "numbers-3-servers-3");
  EXPECT_EQ(MaximalTraces(MakeAccumulatorSystem(2, 2)).size(), 9u);
  EXPECT_EQ(testing::TraceCount(system).Run(), 64u);
}

// The two ways to count agree where there are choices.
TEST(AccumulatorTest, TracesAreCountedAsTheyAreCollected) {
  const model::System system = MakeOrDie(*MakeAccumulatorFamily(), "figure-1");
  EXPECT_EQ(testing::TraceCount(system).Run(), 18u);
}

TEST(AccumulatorTest, TheSecondaryNeverGetsAhead) {
  for (const char* const scenario : {"figure-1", "numbers-2-servers-2", "numbers-3-servers-3"}) {
    const model::System system = MakeOrDie(*MakeAccumulatorFamily(), scenario);
    const testing::BfsResult result = testing::NaiveBfs(system).Run(100'000);
    EXPECT_TRUE(result.complete);
    EXPECT_TRUE(result.violations.empty());
  }
}

}  // namespace
}  // namespace foretell::integration::examples
