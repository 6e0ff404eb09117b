#include <gtest/gtest.h>

#include "integration/paxos/family.h"
#include "integration/testing/naive_bfs.h"

namespace foretell::integration::paxos {
namespace {

using testing::BfsResult;
using testing::MakeOrDie;
using testing::NaiveBfs;

// The counts are those of the prototype and of SPIN for the same protocol.
TEST(PaxosTest, OneProposalHasTheKnownStateSpace) {
  const model::System system = MakeOrDie(Family(), "one-proposal");
  const BfsResult result = NaiveBfs(system).Run(100'000);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.states, 7'068u);
  EXPECT_EQ(result.transitions, 37'012u);
  EXPECT_TRUE(result.violations.empty());
}

}  // namespace
}  // namespace foretell::integration::paxos
