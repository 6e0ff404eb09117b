#include "foretell/integration/examples/threads.h"

#include <gtest/gtest.h>

#include "foretell/integration/testing/naive_bfs.h"
#include "foretell/integration/testing/trace_count.h"

namespace foretell::integration::examples {
namespace {

using testing::BfsResult;
using testing::MakeOrDie;
using testing::NaiveBfs;
using testing::TraceCount;

// Two requests arrive and are done in 2 orders, and the two steps of the checkpoint fall anywhere
// among these four: 2 * 15 per server.
TEST(ThreadsTest, OneServerHasThirtyExecutions) {
  EXPECT_EQ(TraceCount(MakeThreadsSystem(2, 1)).Run(), 30u);
}

TEST(ThreadsTest, ServersMultiplyExecutions) {
  EXPECT_EQ(TraceCount(MakeOrDie(*MakeThreadsFamily(), "servers-2")).Run(), 900u);
  EXPECT_EQ(TraceCount(MakeThreadsSystem(1, 3)).Run(), 6u * 6u * 6u);
}

TEST(ThreadsTest, CheckpointsAreWhole) {
  const BfsResult result = NaiveBfs(MakeOrDie(*MakeThreadsFamily(), "servers-2")).Run(100'000);
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.violations.empty());
}

// Start, one request, read, work, write.
TEST(ThreadsTest, ATornCheckpointTakesWorkInBetween) {
  const model::System system = MakeOrDie(*MakeThreadsFamily(), "servers-2", "torn-checkpoint");
  BfsResult result = NaiveBfs(system).Run(100'000, /*stop_at_violation=*/true);
  EXPECT_EQ(result.violations["whole-checkpoint"].size(), 5u);
}

}  // namespace
}  // namespace foretell::integration::examples
