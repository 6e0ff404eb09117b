#include "foretell/predictors/turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace foretell::predictors {
namespace {

using std::chrono::milliseconds;

// Members that work a millisecond at a time, on a clock that moves only with their work.
class TurnsTest : public testing::Test {
 protected:
  using Work = std::vector<int>;  // By member: milliseconds.

  // The time at which each member was done.
  std::vector<int> Run(const std::vector<Turns::Entry>& entries, const Work& work) {
    Turns turns(entries, 1, [this] { return Turns::Time{} + milliseconds(now_); });
    std::vector<int> done(work.size());
    std::vector<std::thread> threads;
    for (size_t member = 0; member < work.size(); ++member) {
      threads.emplace_back([&, member] {
        turns.Begin(member);
        for (int i = 0; i < work[member]; ++i) {
          EXPECT_EQ(running_++, 0) << "one at a time";
          ++now_;
          --running_;
          turns.Pass(member);
        }
        done[member] = now_;
        turns.End(member);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return done;
  }

  std::atomic<int> now_ = 0;
  std::atomic<int> running_ = 0;
};

TEST_F(TurnsTest, TheQuickestOfFourTakesFourTimesItsTime) {
  for (size_t quick = 0; quick < 4; ++quick) {
    for (const int time : {1, 10, 100, 1'000}) {
      now_ = 0;
      Work work(4, 10'000);
      work[quick] = time;
      const int done = Run({{1}, {1}, {1}, {1}}, work)[quick];
      // Others may be a slice ahead: an eighth, or the first.
      EXPECT_LE(done, 4 * time + 3 * std::max(2, time / 8 + 1)) << quick;
    }
  }
}

TEST_F(TurnsTest, NoWorkIsLost) {
  const std::vector<int> done = Run({{1}, {1}, {1}}, {100, 200, 300});
  EXPECT_EQ(done[2], 600);
  EXPECT_LT(done[0], done[1]);
  EXPECT_LT(done[1], done[2]);
}

TEST_F(TurnsTest, ADoubleShareIsTwiceAsFast) {
  const std::vector<int> done = Run({{2}, {1}}, {1'000, 1'000});
  EXPECT_NEAR(done[0], 1'500, 100);
  EXPECT_EQ(done[1], 2'000);
}

TEST_F(TurnsTest, WhoBeginsLaterCostsTheFirstNothing) {
  const std::vector<Turns::Entry> entries = {
      {3}, {3}, {3, milliseconds(100)}, {1, milliseconds(100)}};
  for (const int time : {10, 50, 100}) {
    for (const size_t quick : {0, 1}) {
      now_ = 0;
      Work work(4, 10'000);
      work[quick] = time;
      EXPECT_LE(Run(entries, work)[quick], 2 * time + std::max(2, time / 8 + 1)) << quick;
    }
  }
}

TEST_F(TurnsTest, WhoBeginsLaterHasItsShareFromThenOn) {
  const std::vector<int> done =
      Run({{3}, {3}, {3, milliseconds(100)}, {1, milliseconds(100)}}, {10'000, 10'000, 300, 100});
  EXPECT_NEAR(done[2], 2 * 100 + 3 * 300 + 100, 100);
  EXPECT_NEAR(done[3], 2 * 100 + 10 * 100, 100) << "its share, too, from the same time on";
}

TEST_F(TurnsTest, WhoBeginsLaterTakesThePlaceOfWhoGivesUp) {
  const std::vector<Turns::Entry> entries = {
      {3}, {3}, {3, milliseconds(1'000)}, {1, milliseconds(1'000)}};
  const std::vector<int> done = Run(entries, {20, 10'000, 100, 100});
  EXPECT_LE(done[2], 20 + 100 + 100 + 25) << "two at a time, as before";
  EXPECT_GE(done[3], done[2] + 100) << "only when that one gives up, too";
  EXPECT_LE(done[3], 1'000);
}

TEST_F(TurnsTest, ATurnThatNobodyWantsIsForWhoBeginsLater) {
  EXPECT_EQ(Run({{1}, {1, milliseconds(1'000)}}, {10, 10})[1], 20);
}

TEST_F(TurnsTest, WhileOneConcludesNobodyElseGoesOn) {
  Turns turns({{1}, {1}, {1}}, 2, [] { return Turns::Time{}; });
  turns.Begin(0);
  turns.Begin(1);
  turns.Conclude(0);
  turns.Pass(0);
  std::atomic<bool> ended = false;
  std::thread runs([&] {
    turns.Pass(1);  // Its slice has only begun.
    EXPECT_TRUE(ended);
    turns.End(1);
  });
  std::thread waits([&] {
    turns.Begin(2);
    EXPECT_TRUE(ended);
    turns.End(2);
  });
  turns.Pass(0);
  ended = true;
  turns.End(0);
  runs.join();
  waits.join();
}

TEST_F(TurnsTest, TurnsBeginInOrderWhoeverIsThereFirst) {
  Turns turns({{1}, {1}}, 1, [] { return Turns::Time{}; });
  std::string order;
  std::thread second([&] {
    turns.Begin(1);
    order += "second";
    turns.End(1);
  });
  turns.Begin(0);
  order += "first ";
  turns.End(0);
  second.join();
  EXPECT_EQ(order, "first second");
}

TEST_F(TurnsTest, WhoNeverBeginsKeepsNobodyWaiting) {
  Turns turns({{1}, {1}, {1}}, 1, [] { return Turns::Time{}; });
  turns.End(0);
  turns.End(1);
  turns.Begin(2);
  turns.Pass(2);
  turns.End(2);
}

TEST_F(TurnsTest, NobodyWaitsOnceItIsOpen) {
  Turns turns({{1}, {1}}, 1, [] { return Turns::Time{}; });
  turns.Begin(0);
  std::thread waits([&] { turns.Begin(1); });
  turns.Open();
  waits.join();
  turns.Pass(0);
  turns.Pass(1);
  turns.End(1);
  turns.End(0);
}

}  // namespace
}  // namespace foretell::predictors
