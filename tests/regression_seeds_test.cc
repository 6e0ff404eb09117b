// Random services on which an engine was wrong once. Each line says what the cause was.

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>

#include "foretell/agent/selftest/selftest.h"

namespace foretell {
namespace {

struct Regression {
  uint64_t seed;
  const char* cause;
};

class RegressionSeedsTest : public testing::TestWithParam<Regression> {};

TEST_P(RegressionSeedsTest, EnginesAgreeWithTheNaiveSearch) {
  agent::SelftestOptions options;
  options.count = 1;
  options.seed = GetParam().seed;
  std::ostringstream out;
  EXPECT_EQ(agent::SelftestCommand(options, out), 0) << GetParam().cause << "\n" << out.str();
}

INSTANTIATE_TEST_SUITE_P(
    Seeds, RegressionSeedsTest,
    testing::Values(
        Regression{20, "lmc: said complete when exploration had run out of its share"},
        Regression{51, "lmc: said complete when exploration had run out of its share"},
        Regression{5000358, "por: a restart loses what others sent on a stream"},
        Regression{5001251, "por: a restart loses what others sent on a stream"},
        Regression{20001643, "replay: a refused step had already taken its message"},
        Regression{7001063, "node graphs: successors of a dropped history were dropped too"},
        Regression{7001067, "node graphs: successors of a dropped history were dropped too"}),
    [](const auto& regression) { return std::to_string(regression.param.seed); });

}  // namespace
}  // namespace foretell
