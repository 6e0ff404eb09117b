#include "foretell/agent/execution/causality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/agent/testing/toy_path.h"

namespace foretell::agent {
namespace {

using testing::ElementsAre;

TEST(CausalityTest, FollowsNodesAndMessages) {
  const model::System system = *ToyFamily().Make("fresh", "says-yes");
  const auto execution = Execution::Make(*system.service, system.start, ToyPath());
  ASSERT_TRUE(execution.ok()) << execution.status();
  const std::vector<Cause> causes = CausesOf(*execution);
  ASSERT_EQ(causes.size(), 8u);
  EXPECT_THAT(causes[0].clock, ElementsAre(1, 0, 0));
  EXPECT_THAT(causes[1].clock, ElementsAre(0, 0, 1));  // The crash follows from nothing.
  EXPECT_THAT(causes[2].clock, ElementsAre(1, 1, 0));
  EXPECT_EQ(causes[2].sent, 1u);
  EXPECT_EQ(causes[2].before, std::nullopt);
  EXPECT_THAT(causes[7].clock, ElementsAre(4, 1, 3));
  EXPECT_EQ(causes[7].before, 7u);
  EXPECT_EQ(causes[7].sent, 6u);
}

// A step is after another iff there is a way along its causes: clocks against the obvious.
TEST(CausalityTest, ClocksSayWhatHappenedBefore) {
  const model::System system = *ToyFamily().Make("fresh", "says-yes");
  const auto execution = Execution::Make(*system.service, system.start, ToyPath());
  ASSERT_TRUE(execution.ok()) << execution.status();
  const std::vector<Cause> causes = CausesOf(*execution);
  std::vector<std::set<size_t>> before(causes.size() + 1);
  for (size_t step = 1; step <= causes.size(); ++step) {
    for (const auto& cause : {causes[step - 1].before, causes[step - 1].sent}) {
      if (!cause) continue;
      before[step].insert(before[*cause].begin(), before[*cause].end());
      before[step].insert(*cause);
    }
    for (size_t other = 1; other < step; ++other) {
      const size_t node = execution->StepAt(other).node.index();
      const bool says = causes[other - 1].clock[node] <= causes[step - 1].clock[node];
      EXPECT_EQ(says, before[step].contains(other)) << other << " before " << step;
    }
  }
}

}  // namespace
}  // namespace foretell::agent
