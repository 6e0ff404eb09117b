#include "foretell/integration/sdk/node/timer_set.h"

#include <gtest/gtest.h>

#include "foretell/integration/sdk/testing/relay.h"

namespace foretell::integration::sdk {
namespace {

using std::chrono::milliseconds;
using testing::MakeRelay;
using testing::Relay;

std::string Tick(uint32_t value) { return model::Encode(Relay::Action(Relay::Tick{value})); }
std::string Lock() { return model::Encode(Relay::Action(Relay::Lock{})); }

class TimerSetTest : public ::testing::Test {
 protected:
  std::unique_ptr<model::Service> service_ = MakeRelay({});
  TimerSet timers_{*service_, 1};
  Time start_{};
};

TEST_F(TimerSetTest, FiresAfterItsDelay) {
  timers_.Update({Lock(), Tick(1)}, start_);
  EXPECT_EQ(timers_.size(), 1u);
  const Time due = *timers_.Next();
  EXPECT_GE(due, start_ + milliseconds(1));
  EXPECT_LE(due, start_ + milliseconds(2));
  EXPECT_FALSE(timers_.TakeDue(due - std::chrono::nanoseconds(1)));
  EXPECT_EQ(timers_.TakeDue(due), Tick(1));
  EXPECT_FALSE(timers_.Next());
}

TEST_F(TimerSetTest, StaysArmedWhileEnabled) {
  timers_.Update({Tick(1)}, start_);
  const Time due = *timers_.Next();
  timers_.Update({Tick(1)}, start_ + milliseconds(1));
  EXPECT_EQ(timers_.Next(), due);
}

TEST_F(TimerSetTest, StartsAnewWhenRestarted) {
  timers_.Update({Tick(1)}, start_);
  const Time due = *timers_.Next();
  timers_.Restart(Tick(1));
  timers_.Update({Tick(1)}, start_ + milliseconds(5));
  EXPECT_FALSE(timers_.TakeDue(due));
  EXPECT_GE(*timers_.Next(), start_ + milliseconds(6));
}

TEST_F(TimerSetTest, IsForgottenWhenDisabled) {
  timers_.Update({Tick(1), Tick(2)}, start_);
  timers_.Update({Tick(2)}, start_);
  EXPECT_EQ(timers_.TakeDue(start_ + milliseconds(10)), Tick(2));
  EXPECT_FALSE(timers_.TakeDue(start_ + milliseconds(10)));
}

TEST_F(TimerSetTest, TheEarliestComesFirst) {
  timers_.Update({Tick(2)}, start_);
  timers_.Update({Tick(1), Tick(2)}, start_ + milliseconds(5));
  EXPECT_EQ(timers_.TakeDue(start_ + milliseconds(10)), Tick(2));
  EXPECT_EQ(timers_.TakeDue(start_ + milliseconds(10)), Tick(1));
}

TEST_F(TimerSetTest, PostponedOnesWaitUntilReleased) {
  timers_.Update({Tick(1)}, start_);
  timers_.Postpone(Tick(1), start_ + milliseconds(100));
  EXPECT_FALSE(timers_.TakeDue(start_ + milliseconds(50)));
  timers_.Release(start_ + milliseconds(60));
  EXPECT_EQ(timers_.TakeDue(start_ + milliseconds(60)), Tick(1));
}

}  // namespace
}  // namespace foretell::integration::sdk
