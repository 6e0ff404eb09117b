#include "foretell/search/liveness/marks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace foretell::search {
namespace {

std::vector<uint32_t> Open(const Marks& marks, uint32_t end) {
  std::vector<uint32_t> open;
  EXPECT_TRUE(marks.ForOpen(end, [&](uint32_t state) {
    open.push_back(state);
    return true;
  }));
  return open;
}

TEST(MarksTest, KeepsEachMark) {
  Marks marks;
  marks.Grow(130);
  for (uint32_t i = 0; i < 130; ++i) marks.Set(i, static_cast<Mark>(i % 4));
  for (uint32_t i = 0; i < 130; ++i) EXPECT_EQ(marks[i], static_cast<Mark>(i % 4));
}

TEST(MarksTest, OpenOnesComeLastFirstAndOnlyBelowTheEnd) {
  Marks marks;
  marks.Grow(130);
  for (uint32_t i = 0; i < 130; ++i) marks.Set(i, Mark::kAlive);
  for (const uint32_t i : {0, 63, 64, 127, 128}) marks.Set(i, Mark::kOpen);
  EXPECT_EQ(Open(marks, 130), (std::vector<uint32_t>{128, 127, 64, 63, 0}));
  EXPECT_EQ(Open(marks, 128), (std::vector<uint32_t>{127, 64, 63, 0}));
  EXPECT_EQ(Open(marks, 127), (std::vector<uint32_t>{64, 63, 0}));
  EXPECT_EQ(Open(marks, 0), std::vector<uint32_t>{});
}

TEST(MarksTest, WhatIsMarkedMeanwhileIsNotVisited) {
  Marks marks;
  marks.Grow(3);
  std::vector<uint32_t> visited;
  EXPECT_FALSE(marks.ForOpen(3, [&](uint32_t state) {
    visited.push_back(state);
    marks.Set(1, Mark::kDead);
    return state != 0;
  }));
  EXPECT_EQ(visited, (std::vector<uint32_t>{2, 0}));
}

TEST(MarksTest, OnlyTheAliveAreReopenedAndNewOnesAreOpen) {
  Marks marks;
  marks.Grow(4);
  for (uint32_t i = 0; i < 4; ++i) marks.Set(i, static_cast<Mark>(i));
  marks.Reopen();
  marks.Grow(70);
  EXPECT_EQ(marks[0], Mark::kOpen);
  EXPECT_EQ(marks[1], Mark::kOpen);
  EXPECT_EQ(marks[2], Mark::kDead);
  EXPECT_EQ(marks[3], Mark::kLive);
  EXPECT_EQ(marks[69], Mark::kOpen);
  EXPECT_EQ(marks.bytes(), 2 * 2 * sizeof(uint64_t));
}

}  // namespace
}  // namespace foretell::search
