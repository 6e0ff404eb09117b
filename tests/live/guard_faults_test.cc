// Mode guard and everything that can go wrong, by seed, on real processes. 40 seeds are enough for
// a commit; FORETELL_GUARD_RUNS asks for more.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "absl/strings/numbers.h"
#include "foretell/tests/live/guard_run.h"

namespace foretell::live {
namespace {

constexpr int kFaults = 5;  // Of one run.

size_t GuardRuns(size_t standard) {
  const char* text = std::getenv("FORETELL_GUARD_RUNS");
  uint64_t count = 0;
  return text != nullptr && absl::SimpleAtoi(text, &count) && count > 0 ? count : standard;
}

struct Tally {
  GuardRunResult sum;
  uint64_t violated = 0;  // Runs.
};

void Add(const GuardRunResult& run, Tally& tally) {
  tally.sum.judged += run.judged;
  tally.sum.asked += run.asked;
  tally.sum.refused += run.refused;
  tally.sum.expired += run.expired;
  tally.sum.lapsed += run.lapsed;
  tally.sum.excused += run.excused;
  tally.violated += run.violated ? 1 : 0;
  tally.sum.wrong.insert(tally.sum.wrong.end(), run.wrong.begin(), run.wrong.end());
}

// Two at a time on each core: most of the time they wait for processes.
Tally RunAll(size_t count, bool agents) {
  std::vector<GuardRunResult> results(count);
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 2 * std::max(1u, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      for (size_t i = next++; i < count; i = next++)
        results[i] = GuardRun(i + 1, agents).Run(kFaults);
    });
  }
  for (std::thread& thread : threads) thread.join();
  Tally tally;
  for (const GuardRunResult& result : results) Add(result, tally);
  std::cout << count << " runs: " << tally.sum.judged << " looks at guarded nodes, asked "
            << tally.sum.asked << ", refused " << tally.sum.refused << ", expired "
            << tally.sum.expired << ", lapsed " << tally.sum.lapsed << ", excused "
            << tally.sum.excused << "; violated while nobody guarded in " << tally.violated
            << " runs\n";
  return tally;
}

TEST(LiveGuardTest, WhateverGoesWrongNothingThatIsGuardedBreaksAndTheClusterGoesOn) {
  const Tally tally = RunAll(GuardRuns(40), /*agents=*/true);
  for (const std::string& wrong : tally.sum.wrong) ADD_FAILURE() << wrong;
  EXPECT_GT(tally.sum.judged, 0u);
  EXPECT_GT(tally.sum.asked, 0u);
}

// Else there would be nothing to be kept from happening.
TEST(LiveGuardTest, WithoutAnAgentTheSameFaultsBreakAgreement) {
  const Tally tally = RunAll(std::max<size_t>(GuardRuns(40) / 4, 30), /*agents=*/false);
  for (const std::string& wrong : tally.sum.wrong) ADD_FAILURE() << wrong;
  EXPECT_GT(tally.violated, 0u);
  EXPECT_EQ(tally.sum.asked, 0u);
}

}  // namespace
}  // namespace foretell::live
