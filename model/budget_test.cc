#include "foretell/model/budget.h"

#include <gtest/gtest.h>

#include <chrono>

namespace foretell::model {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Takes steps until there are none, `steps_max` at most.
uint64_t TakeAll(Budget& budget, uint64_t steps_max) {
  uint64_t taken = 0;
  while (taken < steps_max && budget.TakeStep()) ++taken;
  return taken;
}

class BudgetTest : public testing::Test {
 protected:
  Budget Make(Budget::Limits limits) {
    return Budget(limits, [this] { return now_; });
  }
  Budget::Time now_{};
};

TEST_F(BudgetTest, GivesExactlyItsSteps) {
  Budget budget = Make({.steps_max = 3});
  EXPECT_FALSE(budget.spent());
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kNone);
  EXPECT_EQ(TakeAll(budget, 10), 3u);
  EXPECT_EQ(budget.steps_taken(), 3u);
  EXPECT_TRUE(budget.spent());
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kSteps);
  EXPECT_FALSE(budget.TakeStep());
  EXPECT_EQ(budget.steps_taken(), 3u);
}

TEST_F(BudgetTest, WithoutStepsIsSpentFromTheStart) {
  Budget budget = Make({.steps_max = 0});
  EXPECT_TRUE(budget.spent());
  EXPECT_FALSE(budget.TakeStep());
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kSteps);
}

TEST_F(BudgetTest, RefusesTheFirstStepAfterTheDeadline) {
  Budget budget = Make({.deadline = now_ + seconds(1)});
  now_ += seconds(1);
  EXPECT_FALSE(budget.TakeStep());
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kTime);
}

TEST_F(BudgetTest, StaysSpentAfterDeadline) {
  Budget budget = Make({.deadline = now_ + seconds(1)});
  EXPECT_TRUE(budget.TakeStep());
  now_ += seconds(1);
  // The clock is read now and then: some steps may still be given, not many.
  const uint64_t more = TakeAll(budget, 100'000);
  EXPECT_LT(more, 1'000u);
  EXPECT_EQ(budget.steps_taken(), 1 + more);
  now_ -= seconds(1);
  EXPECT_FALSE(budget.TakeStep());
  EXPECT_TRUE(budget.spent());
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kTime);
  EXPECT_EQ(budget.steps_taken(), 1 + more);
}

TEST_F(BudgetTest, ReadsTheClockAtOnceWhenPolled) {
  Budget budget = Make({.deadline = now_ + seconds(1)});
  EXPECT_TRUE(budget.TakeStep());
  EXPECT_TRUE(budget.Poll());
  now_ += seconds(1);
  EXPECT_FALSE(budget.Poll());
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kTime);
  EXPECT_EQ(budget.steps_taken(), 1u);
  EXPECT_FALSE(budget.TakeStep());
}

TEST_F(BudgetTest, TooMuchMemorySpendsIt) {
  Budget budget = Make({.steps_max = 10, .bytes_max = 1'000});
  EXPECT_TRUE(budget.TakeStep());
  budget.HoldBytes(1'000);
  EXPECT_FALSE(budget.spent());
  budget.HoldBytes(1'001);
  EXPECT_TRUE(budget.spent());
  budget.HoldBytes(0);
  EXPECT_FALSE(budget.TakeStep());
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kMemory);
  EXPECT_EQ(budget.steps_taken(), 1u);
}

TEST_F(BudgetTest, RemembersTheLimitThatCameFirst) {
  Budget budget = Make({.steps_max = 1, .bytes_max = 10});
  EXPECT_TRUE(budget.TakeStep());
  budget.HoldBytes(11);
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kSteps);
}

TEST_F(BudgetTest, SharesStepsTimeAndMemory) {
  Budget budget = Make({.steps_max = 1'000, .bytes_max = 5'000, .deadline = now_ + seconds(10)});
  EXPECT_EQ(TakeAll(budget, 500), 500u);
  now_ += seconds(5);
  const Budget share = budget.Share(40);
  EXPECT_GE(share.limits().steps_max, 200u);
  EXPECT_LE(share.limits().steps_max, 201u);
  EXPECT_EQ(share.limits().bytes_max, 2'000u);
  EXPECT_EQ(share.limits().deadline, now_ + seconds(2));
}

TEST_F(BudgetTest, MemoryMayGrowWhileOthersGiveTheirsBack) {
  uint64_t bytes_max = 1'000;
  Budget budget({.bytes_max = 1'000}, [this] { return now_; },
                {.bytes_max = [&] { return bytes_max; }, .concluding = nullptr});
  Budget half = budget.Share(50);
  budget.HoldBytes(1'000);
  bytes_max = 2'000;
  budget.HoldBytes(2'000);
  half.HoldBytes(1'000);
  EXPECT_FALSE(budget.spent());
  EXPECT_FALSE(half.spent());
  half.HoldBytes(1'001);
  EXPECT_EQ(half.ended_by(), Budget::Limit::kMemory);
  bytes_max = 1'500;
  budget.HoldBytes(2'000);
  EXPECT_FALSE(budget.spent()) << "what was granted stays granted";
  budget.HoldBytes(2'001);
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kMemory);
}

TEST_F(BudgetTest, TellsOthersThatItConcludesButNotOfItsParts) {
  int told = 0;
  const Budget budget({}, [this] { return now_; },
                      {.bytes_max = nullptr, .concluding = [&] { ++told; }});
  budget.Share(50).Concluding();
  EXPECT_EQ(told, 0);
  budget.Concluding();
  EXPECT_EQ(told, 1);
  Make({}).Concluding();  // Nobody is there.
}

TEST_F(BudgetTest, IsSpentByALimitThatAPartOfItMet) {
  Budget budget = Make({.steps_max = 10});
  budget.Spend(Budget::Limit::kMemory);
  EXPECT_FALSE(budget.TakeStep());
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kMemory);
  EXPECT_EQ(budget.steps_taken(), 0u);
}

TEST_F(BudgetTest, AShareOfNoLimitHasNoLimit) {
  const Budget share = Make({}).Share(10);
  EXPECT_EQ(share.limits().steps_max, UINT64_MAX);
  EXPECT_EQ(share.limits().bytes_max, UINT64_MAX);
  EXPECT_EQ(share.limits().deadline, Budget::Time::max());
}

TEST_F(BudgetTest, IsChargedWhatAShareTook) {
  Budget budget = Make({.steps_max = 100});
  Budget share = budget.Share(50);
  EXPECT_EQ(TakeAll(share, 30), 30u);
  EXPECT_EQ(budget.steps_taken(), 0u);
  budget.Charge(share);
  EXPECT_EQ(budget.steps_taken(), 30u);
  EXPECT_EQ(TakeAll(budget, 1'000), 70u);
}

TEST_F(BudgetTest, IsNotChargedWhatAShareForfeited) {
  Budget budget = Make({.steps_max = 100, .bytes_max = 1'000});
  Budget share = budget.Share(50);
  EXPECT_TRUE(share.TakeStep());
  share.HoldBytes(1'000);
  EXPECT_TRUE(share.spent());
  budget.Charge(share);
  EXPECT_EQ(budget.steps_taken(), 1u);
  EXPECT_FALSE(budget.spent());
}

TEST_F(BudgetTest, ReadsTheClockItWasGiven) {
  Budget budget = Make({});
  now_ += milliseconds(7);
  EXPECT_EQ(budget.Now(), now_);
}

TEST_F(BudgetTest, IsAbandonedWhenItsClockSaysSo) {
  Budget budget = Make({.deadline = now_ + seconds(10)});
  EXPECT_FALSE(budget.Abandoned());
  now_ += seconds(10);
  EXPECT_FALSE(budget.Abandoned()) << "a deadline is waited for";
  now_ = Budget::Time::max();
  EXPECT_TRUE(budget.Abandoned());
  EXPECT_FALSE(budget.Share(40).Poll());
  EXPECT_FALSE(budget.Poll());
}

TEST_F(BudgetTest, NamesItsLimits) {
  EXPECT_STREQ(LimitName(Budget::Limit::kSteps), "steps");
  EXPECT_STREQ(LimitName(Budget::Limit::kTime), "time");
  EXPECT_STREQ(LimitName(Budget::Limit::kMemory), "memory");
  EXPECT_STREQ(LimitName(Budget::Limit::kNone), "nothing");
}

}  // namespace
}  // namespace foretell::model
