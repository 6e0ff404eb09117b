// Searches with a depth bound, against the shortest paths of the naive search.

#include <gtest/gtest.h>

#include <set>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/search/naive_search.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

class DepthBoundTest : public testing::TestWithParam<search::Order> {};
INSTANTIATE_TEST_SUITE_P(Order, DepthBoundTest,
                         testing::Values(search::Order::kBreadthFirst, search::Order::kDepthFirst));

// The invariants that the search finds within `depth_max`.
std::set<std::string> Found(const model::System& system, search::Order order, uint32_t depth_max) {
  predictors::EngineOptions options;
  options.order = order;
  options.depth_max = depth_max;
  options.all_invariants = true;
  std::set<std::string> names;
  const model::Report report = Explore(*system.service, system.start, "global", options);
  for (const model::Violation& violation : report.violations) names.insert(violation.invariant);
  return names;
}

std::set<std::string> Within(const search::NaiveResult& naive, uint32_t depth_max) {
  std::set<std::string> names;
  for (const auto& [name, path] : naive.violated) {
    if (path.size() <= depth_max) names.insert(name);
  }
  return names;
}

TEST_P(DepthBoundTest, FindsExactlyWhatIsWithinIt) {
  uint64_t violated = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const model::System system = integration::MakeRandomSystem(integration::RandomSpec(seed));
    const auto naive = search::NaiveSearch(*system.service, system.start, 500);
    if (!naive.finished) continue;
    violated += naive.violated.size();
    for (uint32_t depth = 0; depth <= 8; ++depth) {
      EXPECT_EQ(Found(system, GetParam(), depth), Within(naive, depth))
          << "seed " << seed << " depth " << depth;
    }
  }
  EXPECT_GT(violated, 20u);
}

}  // namespace
}  // namespace foretell::tests
