#include "foretell/agent/sidecar/bell.h"

#include <gtest/gtest.h>

#include <thread>

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""h;

TEST(BellTest, CountsWhatIsRungBeforeAnybodyWaits) {
  Bell bell;
  bell.Ring();
  bell.Ring();
  EXPECT_EQ(bell.rung(), 2u);
  bell.WaitUntil(1, Bell::Time::max());  // Would be for ever if the second were lost.
}

TEST(BellTest, WakesWhoWaits) {
  Bell bell;
  std::thread other([&bell] { bell.Ring(); });
  bell.WaitUntil(0, std::chrono::steady_clock::now() + 1h);
  EXPECT_EQ(bell.rung(), 1u);
  other.join();
}

TEST(BellTest, GivesUpAtTheEnd) {
  Bell bell;
  bell.Ring();
  bell.WaitUntil(1, Bell::Time{});
  EXPECT_EQ(bell.rung(), 1u);
}

}  // namespace
}  // namespace foretell::agent
