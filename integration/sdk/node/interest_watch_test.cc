#include "foretell/integration/sdk/node/interest_watch.h"

#include <gtest/gtest.h>

#include "foretell/integration/sdk/testing/relay.h"

namespace foretell::integration::sdk {
namespace {

using model::NodeId;
using std::chrono::milliseconds;
using testing::MakeRelay;
using testing::Relay;

class InterestWatchTest : public ::testing::Test {
 protected:
  std::unique_ptr<model::LiveNode> Live(Relay::State state) {
    return service_->MakeLive(NodeId(0), model::Encode(state));
  }
  void Look(Relay::State state, uint64_t version) {
    watch_.Look(*Live(std::move(state)), version, [this] { return now_; });
  }

  std::unique_ptr<model::Service> service_ = MakeRelay({});
  InterestWatch watch_{*service_};
  Time now_ = Time{} + std::chrono::hours(1);
  int calls_ = 0;
};

TEST_F(InterestWatchTest, TellsOnlyWhatInvariantsSee) {
  watch_.Listen([this] { ++calls_; }, *Live({}), 0);
  Look({.said = 1}, 1);
  EXPECT_EQ(calls_, 0);
  now_ += milliseconds(5);
  Look({.locked = true}, 2);
  EXPECT_EQ(calls_, 1);
}

TEST_F(InterestWatchTest, WaitsFiveMilliseconds) {
  watch_.Listen([this] { ++calls_; }, *Live({}), 0);
  Look({.locked = true}, 1);
  Look({.locked = false}, 2);
  EXPECT_EQ(calls_, 1);
  ASSERT_EQ(watch_.Next(2), now_ + milliseconds(5));
  now_ = *watch_.Next(2);
  Look({.locked = false}, 2);
  EXPECT_EQ(calls_, 1) << "nobody is asked for the time before the timer comes";
  watch_.OnTimer();
  Look({.locked = false}, 2);
  EXPECT_EQ(calls_, 2);
  EXPECT_FALSE(watch_.Next(2));
}

TEST_F(InterestWatchTest, TellsLessUnderLoad) {
  watch_.Listen([this] { ++calls_; }, *Live({}), 0);
  const Time begin = now_;
  for (uint64_t version = 1; now_ < begin + std::chrono::seconds(10); ++version) {
    Look({.locked = version % 2 == 1}, version);
    now_ = std::max(now_ + milliseconds(1), watch_.Next(version + 1).value_or(now_));
  }
  EXPECT_LT(calls_, 110);
  EXPECT_GT(calls_, 90);
  // After a quiet time the first change is told at once, and the next soon.
  now_ += std::chrono::seconds(1);
  const int before = calls_;
  Look({.kept = 1, .locked = true}, 100'001);
  now_ += milliseconds(5);
  Look({.kept = 1, .locked = false}, 100'002);
  EXPECT_GT(calls_, before);
  EXPECT_EQ(watch_.Next(100'003), now_ + milliseconds(10));
}

TEST_F(InterestWatchTest, IsSilentWhenNobodyListens) {
  EXPECT_FALSE(watch_.Next(1));
  watch_.Listen([this] { ++calls_; }, *Live({}), 0);
  watch_.Listen(nullptr, *Live({}), 0);
  EXPECT_FALSE(watch_.Next(1));
  Look({.locked = true}, 1);
  EXPECT_EQ(calls_, 0);
}

}  // namespace
}  // namespace foretell::integration::sdk
