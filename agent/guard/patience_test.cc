#include "foretell/agent/guard/patience.h"

#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

using std::chrono::seconds;

TEST(PatienceTest, EndsAfterSecondsOfProcessorTimeOnceTheSearchWasToEnd) {
  Patience patience;
  EXPECT_FALSE(patience.Exhausted({.turn = 1, .processor_time = seconds(50)}, true));
  EXPECT_FALSE(patience.Exhausted({.turn = 1, .processor_time = seconds(51)}, true));
  EXPECT_TRUE(patience.Exhausted({.turn = 1, .processor_time = seconds(52)}, true));
}

TEST(PatienceTest, IsLongWhileTheSearchMayGoOn) {
  Patience patience;
  EXPECT_FALSE(patience.Exhausted({.turn = 1, .processor_time = seconds(50)}, false));
  EXPECT_FALSE(patience.Exhausted({.turn = 1, .processor_time = seconds(79)}, false));
  EXPECT_TRUE(patience.Exhausted({.turn = 1, .processor_time = seconds(80)}, false));
}

TEST(PatienceTest, BeginsAnewWhenTheSearchIsToEnd) {
  Patience patience;
  EXPECT_FALSE(patience.Exhausted({.turn = 1, .processor_time = seconds(50)}, false));
  EXPECT_FALSE(patience.Exhausted({.turn = 1, .processor_time = seconds(70)}, true));
  EXPECT_TRUE(patience.Exhausted({.turn = 1, .processor_time = seconds(72)}, true));
}

TEST(PatienceTest, IsForOneRunNotForMany) {
  Patience patience;
  for (uint64_t turn = 1; turn < 1000; ++turn) {
    const seconds time(static_cast<int64_t>(turn));
    EXPECT_FALSE(patience.Exhausted({.turn = turn, .processor_time = time}, true));
  }
}

// Neither running nor asleep: it waits for a processor.
TEST(PatienceTest, IsEndlessWithAThreadThatIsNotLetRun) {
  Patience patience;
  for (int look = 0; look < 100'000; ++look) {
    EXPECT_FALSE(patience.Exhausted({.turn = 1, .processor_time = seconds(50)}, true));
  }
}

TEST(PatienceTest, EndsWithAThreadThatSleepsOn) {
  Patience patience;
  const Glance asleep{.turn = 1, .processor_time = seconds(50), .asleep = true};
  int looks = 1;
  while (!patience.Exhausted(asleep, true)) ++looks;
  EXPECT_EQ(looks, 101);
}

TEST(PatienceTest, ASleeperThatWakesUpIsWaitedForAgain) {
  Patience patience;
  for (int look = 0; look < 1000; ++look) {
    const auto time = std::chrono::microseconds(look / 50);
    EXPECT_FALSE(patience.Exhausted({.turn = 1, .processor_time = time, .asleep = true}, true));
  }
}

}  // namespace
}  // namespace foretell::agent
