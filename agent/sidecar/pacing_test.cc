#include "foretell/agent/sidecar/pacing.h"

#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr Pacing::Time kStart{100s};

TEST(PacingTest, RoundsComeWithThePeriod) {
  Pacing pacing({.period = 1000ms});
  pacing.Started(kStart);
  pacing.Finished(kStart + 10ms, 1ms);
  EXPECT_EQ(pacing.Next(false), kStart + 1000ms);
}

TEST(PacingTest, HintsStartRoundsEarlier) {
  Pacing pacing({.period = 1000ms, .hint_gap = 20ms, .cpu_max = 0.5});
  pacing.Started(kStart);
  pacing.Finished(kStart + 10ms, 5ms);  // Exactly its share.
  EXPECT_EQ(pacing.Next(true), kStart + 20ms);
}

TEST(PacingTest, ABusyAgentWaitsBeforeItFollowsHints) {
  Pacing pacing({.period = 1000ms, .hint_gap = 20ms, .cpu_max = 0.125});
  pacing.Started(kStart);
  pacing.Finished(kStart + 8ms, 21ms);  // 20 ms more than the share.
  EXPECT_EQ(pacing.Next(true), kStart + 168ms);
  pacing.Started(kStart + 168ms);
  pacing.Finished(kStart + 176ms, 500ms);
  EXPECT_EQ(pacing.Next(true), kStart + 1168ms) << "not later than by the clock";
}

TEST(PacingTest, TheBudgetShrinksWithWhatIsOwed) {
  Pacing pacing({.period = 1000ms, .budget = 500ms, .cpu_max = 0.5, .threads = 2});
  EXPECT_EQ(pacing.budget(), 250ms) << "half a core for two threads";
  pacing.Started(kStart);
  pacing.Finished(kStart + 200ms, 400ms);
  EXPECT_EQ(pacing.budget(), 100ms);
  pacing.Finished(kStart + 1200ms, 0ms);
  EXPECT_EQ(pacing.budget(), 250ms) << "paid back";
}

TEST(PacingTest, MemoryIsWhatIsLeft) {
  const Pacing pacing({.memory_max = uint64_t{1} << 30});
  EXPECT_EQ(pacing.MemoryFor(uint64_t{1} << 29), uint64_t{1} << 29);
  EXPECT_EQ(pacing.MemoryFor(uint64_t{1} << 40), uint64_t{16} << 20);
}

}  // namespace
}  // namespace foretell::agent
