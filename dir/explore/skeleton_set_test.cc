#include "foretell/dir/explore/skeleton_set.h"

#include <gtest/gtest.h>

namespace foretell::dir {
namespace {

constexpr ComponentId kOnly(0);

// A skeleton of one component with one transition.
Skeleton MakeSkeleton(uint64_t transition) {
  Skeleton skeleton;
  skeleton.signature = {1, transition};
  LocalSkeleton& local = skeleton.locals.emplace_back();
  local.behaviour = {0, transition};
  local.transitions = {{0, transition}};
  local.positions = {0};
  skeleton.trace.emplace_back();
  return skeleton;
}

TEST(SkeletonSetTest, TakesASkeletonOnceUntilItIsCleared) {
  SkeletonSet set(1);
  const Skeleton* const first = set.Add(MakeSkeleton(7), kNone);
  EXPECT_EQ(set.Add(MakeSkeleton(7), 0), nullptr);
  const Skeleton* const second = set.Add(MakeSkeleton(8), 0);
  ASSERT_EQ(set.size(), 2u);
  EXPECT_EQ(&set[0], first);
  EXPECT_EQ(&set[1], second);
  set.Clear();
  EXPECT_EQ(set.size(), 0u);
  EXPECT_NE(set.Add(MakeSkeleton(7), kNone), nullptr);
}

TEST(SkeletonSetTest, ADeviationIsCoveredIfASkeletonHasItOrItWasComposed) {
  SkeletonSet set(1);
  set.Add(MakeSkeleton(7), kNone);
  set.Add(MakeSkeleton(8), 0);
  const Signature dropped[] = {{0, 7}};
  Coverage::Rest rest;
  set.coverage().Drop(0, kOnly, dropped, rest);
  EXPECT_TRUE(set.IsCovered(kOnly, {.first = {{0, 8}}}, rest));
  EXPECT_FALSE(set.IsCovered(kOnly, {.first = {{0, 9}}}, rest));
  EXPECT_TRUE(set.IsCovered(kOnly, {.first = {{0, 9}}}, rest)) << "composed by now";
  EXPECT_FALSE(set.IsCovered(kOnly, {}, rest)) << "falls silent";
  EXPECT_FALSE(set.IsCovered(kOnly, {}, rest)) << "always composed";
}

}  // namespace
}  // namespace foretell::dir
