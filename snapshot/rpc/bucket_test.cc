#include "foretell/snapshot/rpc/bucket.h"

#include "gtest/gtest.h"

namespace foretell::snapshot {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(BucketTest, HoldsOneSecondsWorth) {
  Bucket bucket(100);
  bucket.Take(99, seconds(5));
  EXPECT_FALSE(bucket.Empty(seconds(5)));
  bucket.Take(1, seconds(5));
  EXPECT_TRUE(bucket.Empty(seconds(5)));
  EXPECT_FALSE(bucket.Empty(seconds(5) + milliseconds(20)));
  // A long pause saves up no more than a second.
  bucket.Take(101, seconds(500));
  EXPECT_TRUE(bucket.Empty(seconds(500)));
}

TEST(BucketTest, WhatIsLargerIsPaidOff) {
  Bucket bucket(100);
  bucket.Take(1000, seconds(0));
  EXPECT_TRUE(bucket.Empty(seconds(8)));
  EXPECT_FALSE(bucket.Empty(milliseconds(9100)));
}

TEST(BucketTest, WithoutRateNeverEmpty) {
  Bucket bucket(0);
  bucket.Take(1 << 30, seconds(0));
  EXPECT_FALSE(bucket.Empty(seconds(0)));
}

TEST(BucketTest, AClockThatStepsBackTakesNothingAway) {
  Bucket bucket(100);
  bucket.Take(50, seconds(10));
  EXPECT_FALSE(bucket.Empty(seconds(9)));
}

}  // namespace
}  // namespace foretell::snapshot
