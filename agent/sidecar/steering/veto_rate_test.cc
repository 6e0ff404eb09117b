#include "foretell/agent/sidecar/steering/veto_rate.h"

#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""s;

class VetoRateTest : public testing::Test {
 protected:
  bool FallenBackAfter(size_t vetoes, std::chrono::seconds at) {
    rate_.Add(vetoes, start_ + at);
    return rate_.fallen_back();
  }
  VetoRate rate_{4};
  const VetoRate::Time start_{};
};

TEST_F(VetoRateTest, MoreThanTheLimitInAMinuteFallsBack) {
  EXPECT_FALSE(FallenBackAfter(4, 0s));
  EXPECT_FALSE(FallenBackAfter(4, 60s)) << "the first are out of the window";
  EXPECT_TRUE(FallenBackAfter(1, 119s));
  EXPECT_EQ(rate_.in_window(), 5u);
}

TEST_F(VetoRateTest, HalfOfTheLimitIsEnoughToGoOn) {
  EXPECT_TRUE(FallenBackAfter(5, 0s));
  EXPECT_TRUE(FallenBackAfter(3, 30s));
  EXPECT_TRUE(FallenBackAfter(0, 60s)) << "three are left";
  EXPECT_FALSE(FallenBackAfter(2, 90s));
}

TEST_F(VetoRateTest, WithoutALimitAnyNumberIsFine) {
  VetoRate any(UINT64_MAX);
  any.Add(1'000'000, start_);
  EXPECT_FALSE(any.fallen_back());
}

}  // namespace
}  // namespace foretell::agent
