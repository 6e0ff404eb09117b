#include "dir/job_engine.h"

#include <gtest/gtest.h>

#include <atomic>
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

TEST_P(JobEngineTest, MayBeDestroyedWithUnitsLeft) {
  const auto jobs = Make();
  for (uint32_t i = 0; i < 20; ++i) {
    jobs->Submit(i, []() -> JobEngine::Result { return [] {}; });
  }
  EXPECT_TRUE(jobs->Next());
}

}  // namespace
}  // namespace foretell::dir
