#include "foretell/dir/explore/job_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace foretell::dir {
namespace {

class JobEngineTest : public testing::TestWithParam<uint32_t> {
 protected:
  std::unique_ptr<JobEngine> Make() const {
    return GetParam() == 0 ? MakeInlineEngine() : MakeThreadEngine(GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Threads, JobEngineTest, testing::Values(0, 1, 2, 4));

TEST_P(JobEngineTest, EveryUnitRunsOnceAndResultsRunInTheDriversThread) {
  const auto jobs = Make();
  const std::thread::id driver = std::this_thread::get_id();
  std::vector<int> results(100, 0);
  for (uint32_t i = 0; i < 50; ++i) {
    jobs->Submit(i % 3, [&, i] {
      return [&, i] {
        EXPECT_EQ(std::this_thread::get_id(), driver);
        ++results[i];
        // Results may submit more.
        jobs->Submit(i % 5, [&, i] { return [&, i] { ++results[50 + i]; }; });
      };
    });
  }
  while (jobs->Next()) {
  }
  EXPECT_EQ(results, std::vector<int>(100, 1));
}

TEST_P(JobEngineTest, UnitsOfOneLaneRunOneAfterTheOtherInOrder) {
  const auto jobs = Make();
  std::atomic<int> inside = 0;
  std::vector<uint32_t> order;  // Guarded by the lane.
  for (uint32_t i = 0; i < 200; ++i) {
    jobs->Submit(7, [&, i]() -> JobEngine::Result {
      EXPECT_EQ(inside.fetch_add(1), 0);
      order.push_back(i);
      inside.fetch_sub(1);
      return [] {};
    });
  }
  while (jobs->Next()) {
  }
  ASSERT_EQ(order.size(), 200u);
  for (uint32_t i = 0; i < 200; ++i) EXPECT_EQ(order[i], i);
}

TEST_P(JobEngineTest, ResultsComeInTheOrderOfSubmission) {
  const auto jobs = Make();
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < 100; ++i) {
    jobs->Submit(i % 7, [&order, i] { return [&order, i] { order.push_back(i); }; });
  }
  while (jobs->Next()) {
  }
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_P(JobEngineTest, WhatAUnitThrowsReachesTheDriver) {
  const auto jobs = Make();
  jobs->Submit(0, []() -> JobEngine::Result { throw std::runtime_error("no projection"); });
  bool done = false;
  jobs->Submit(0, [&done] { return [&done] { done = true; }; });
  EXPECT_THROW(jobs->Next(), std::runtime_error);
  EXPECT_TRUE(jobs->Next());
  EXPECT_TRUE(done);
  EXPECT_FALSE(jobs->Next());
}

TEST_P(JobEngineTest, NothingRunsOnceAbandoned) {
  const auto jobs = Make();
  auto alive = std::make_unique<std::atomic<int>>(0);
  for (uint32_t i = 0; i < 100; ++i) {
    jobs->Submit(i, [counter = alive.get()]() -> JobEngine::Result {
      ++*counter;
      return [] {};
    });
  }
  EXPECT_TRUE(jobs->Next());
  jobs->Abandon();
  alive.reset();  // Under a sanitizer, a unit that ran now would be noticed.
  EXPECT_FALSE(jobs->Next());
}

TEST_P(JobEngineTest, MayBeDestroyedWithUnitsLeft) {
  const auto jobs = Make();
  for (uint32_t i = 0; i < 20; ++i) {
    jobs->Submit(i, []() -> JobEngine::Result { return [] {}; });
  }
  EXPECT_TRUE(jobs->Next());
}

}  // namespace
}  // namespace foretell::dir
