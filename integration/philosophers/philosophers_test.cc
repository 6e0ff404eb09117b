#include <gtest/gtest.h>

#include <algorithm>

#include "integration/philosophers/family.h"
#include "integration/philosophers/protocol.h"
#include "integration/testing/naive_bfs.h"
#include "integration/testing/trace_count.h"
#include "model/typed_service.h"

namespace foretell::integration::philosophers {
namespace {

using model::NodeId;
using testing::BfsResult;
using testing::MakeOrDie;
using testing::NaiveBfs;

TEST(PhilosophersTest, NeighboursNeverEatTogether) {
  const BfsResult result = NaiveBfs(MakeOrDie(Family(), "ring-3")).Run(100'000);
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.violations.empty());
}

// Two who share a fork: each is hungry, both forks are asked for and granted.
TEST(PhilosophersTest, AGreedyForkFeedsNeighbours) {
  const model::System system = MakeOrDie(Family(), "ring-3", "greedy-fork");
  BfsResult result = NaiveBfs(system).Run(100'000, /*stop_at_violation=*/true);
  EXPECT_EQ(result.violations["one-fork-one-eater"].size(), 10u);
  EXPECT_FALSE(result.violations.contains(model::kLocalAssertions));
}

}  // namespace
}  // namespace foretell::integration::philosophers
