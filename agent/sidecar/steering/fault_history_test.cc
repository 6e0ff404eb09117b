#include "foretell/agent/sidecar/steering/fault_history.h"

#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

using predictors::ImaginedFaults;
using std::chrono_literals::operator""min;

class FaultHistoryTest : public testing::Test {
 protected:
  bool Steady(uint32_t node, ImaginedFaults which, FaultHistory::Time now) const {
    return history_.SteadyNodes(which, now).contains(model::NodeId(node));
  }
  FaultHistory history_{2};
  const FaultHistory::Time start_{};
};

TEST_F(FaultHistoryTest, WhatHasFailedIsLikelyToFailForAWhile) {
  history_.Answered(model::NodeId(0), /*reborn=*/false, start_);
  EXPECT_TRUE(Steady(0, ImaginedFaults::kLikely, start_));
  history_.Gone(model::NodeId(0), start_);
  EXPECT_FALSE(Steady(0, ImaginedFaults::kLikely, start_ + 9min));
  EXPECT_TRUE(Steady(1, ImaginedFaults::kLikely, start_ + 9min));
  EXPECT_TRUE(Steady(0, ImaginedFaults::kLikely, start_ + 10min));
}

TEST_F(FaultHistoryTest, ANewLifeIsAFailureThatNobodySaw) {
  history_.Answered(model::NodeId(1), /*reborn=*/true, start_);
  EXPECT_FALSE(Steady(1, ImaginedFaults::kLikely, start_));
}

TEST_F(FaultHistoryTest, ANodeThatIsYetToStartHasNotFailed) {
  history_.Gone(model::NodeId(1), start_);
  EXPECT_TRUE(Steady(1, ImaginedFaults::kLikely, start_));
}

TEST_F(FaultHistoryTest, NeverAndAlwaysDoNotAsk) {
  history_.Answered(model::NodeId(0), /*reborn=*/true, start_);
  EXPECT_TRUE(Steady(0, ImaginedFaults::kNever, start_));
  EXPECT_FALSE(Steady(0, ImaginedFaults::kAlways, start_));
  EXPECT_FALSE(Steady(1, ImaginedFaults::kAlways, start_));
}

}  // namespace
}  // namespace foretell::agent
