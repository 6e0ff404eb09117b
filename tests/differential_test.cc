// Every engine against the naive search on random services. FORETELL_SELFTEST_COUNT checks more
// than the usual 2,000.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "foretell/agent/selftest/selftest.h"

namespace foretell {
namespace {

constexpr uint64_t kShards = 8;
// Shards draw from ranges of their own, however many seeds each of them skips.
constexpr uint64_t kSeedsPerShard = 1'000'000;

uint64_t Count() {
  const char* const text = std::getenv("FORETELL_SELFTEST_COUNT");
  const uint64_t count = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return count == 0 ? 2'000 : count;
}

class DifferentialTest : public testing::TestWithParam<uint64_t> {};

TEST_P(DifferentialTest, EnginesAgreeWithTheNaiveSearch) {
  agent::SelftestOptions options;
  options.count = (Count() + kShards - 1) / kShards;
  options.seed = 1 + GetParam() * kSeedsPerShard;
  std::ostringstream out;
  EXPECT_EQ(agent::SelftestCommand(options, out), 0) << out.str();
  RecordProperty("summary", out.str());
}

INSTANTIATE_TEST_SUITE_P(Shard, DifferentialTest, testing::Range(uint64_t{0}, kShards));

}  // namespace
}  // namespace foretell
