#include "foretell/agent/sidecar/report/life_history.h"

#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

using predictors::Life;
using predictors::LifeForecast;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

class LifeHistoryTest : public testing::Test {
 protected:
  // The next cut, so much later.
  std::optional<ResolvedEvent> Cut(Life life, std::chrono::milliseconds later = 100ms) {
    now_ += later;
    return history_.Add({.property = "joined", .life = life}, ++number_, now_);
  }

  LifeHistory history_;
  UnixTime now_{};
  uint64_t number_ = 40;
};

TEST_F(LifeHistoryTest, TellsSinceWhichCutItIsDeadAndThatItIsAliveAgain) {
  EXPECT_EQ(history_.DeadSince("joined"), 0u);
  EXPECT_FALSE(Cut(Life::kDead));
  EXPECT_FALSE(Cut(Life::kDead));
  EXPECT_EQ(history_.DeadSince("joined"), 41u);
  EXPECT_FALSE(Cut(Life::kUndecided)) << "that says nothing new";
  EXPECT_EQ(history_.DeadSince("joined"), 41u);
  const auto resolved = Cut(Life::kAlive);
  ASSERT_TRUE(resolved);
  EXPECT_EQ(resolved->since, 41u);
  EXPECT_EQ(resolved->until, 44u);
  EXPECT_EQ(resolved->text, "joined is alive again in cut 44, it was dead since cut 41");
  EXPECT_FALSE(Cut(Life::kHolds)) << "once";
}

TEST_F(LifeHistoryTest, AGapIsMeasuredAgainstEarlierOnes) {
  EXPECT_EQ(history_.GapText("joined"), "");
  Cut(Life::kHolds);
  for (int i = 0; i < 99; ++i) {
    Cut(Life::kAlive, 300ms);
    Cut(Life::kHolds, 200ms);
  }
  Cut(Life::kAlive, 900ms);
  Cut(Life::kHolds, 2s);
  EXPECT_EQ(history_.GapOf("joined"), 0ms);
  EXPECT_EQ(history_.GapText("joined"), "") << "it holds";
  Cut(Life::kAlive, 200ms);
  Cut(Life::kAlive, 7s);
  EXPECT_EQ(history_.GapOf("joined"), 7'200ms) << "since the last cut in which it held";
  EXPECT_EQ(history_.GapText("joined"),
            "not live for 7.2 s (99 % of 100 earlier gaps were at most 0.5 s)");
}

TEST_F(LifeHistoryTest, WhatNeverHeldIsCountedFromTheFirstCut) {
  Cut(Life::kAlive);
  Cut(Life::kUndecided, 1'500ms);
  EXPECT_EQ(history_.GapText("joined"), "not live for 1.5 s");
}

TEST_F(LifeHistoryTest, WhereNodesAreAbsentNobodyKnows) {
  Cut(Life::kHolds);
  for (int i = 0; i < 9; ++i) {
    history_.Add({.property = "joined", .life = Life::kUndecided, .seen = false}, ++number_,
                 now_ += 1s);
  }
  EXPECT_EQ(history_.GapText("joined"), "");
  Cut(Life::kHolds);
  Cut(Life::kAlive);
  EXPECT_EQ(history_.GapText("joined"), "not live for 0.1 s") << "no gap before this one";
}

}  // namespace
}  // namespace foretell::agent
