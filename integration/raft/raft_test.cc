// libraft as users check it, judged by the obvious search.

#include <gtest/gtest.h>

#include "foretell/integration/raft/family.h"
#include "foretell/integration/testing/naive_bfs.h"

namespace foretell::integration::raft {
namespace {

testing::BfsResult Search(const std::string& scenario, uint64_t states_max = 1'000'000) {
  absl::StatusOr<model::System> system = Family().Make(scenario, "");
  FORETELL_CHECK(system.ok());
  return testing::NaiveBfs(*system).Run(states_max, /*stop_at_violation=*/false);
}

TEST(RaftTest, AllScenariosCanBeMade) {
  for (const model::Named& scenario : Family().scenarios()) {
    const auto system = Family().Make(scenario.name, "");
    ASSERT_TRUE(system.ok()) << system.status();
    EXPECT_TRUE(model::ValidateCut(*system->service, system->start).ok());
  }
  EXPECT_FALSE(Family().Make("nowhere", "").ok());
}

TEST(RaftTest, OneElectionIsClean) {
  const testing::BfsResult result = Search("one-election");
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.violations.empty());
  EXPECT_EQ(result.states, 26'417u);
}

TEST(RaftTest, TimersAreTheLibrarys) {
  const auto system = Family().Make("live", "");
  const model::Service& service = *system->service;
  const auto live = service.MakeLive(model::NodeId(0), system->start.nodes[0].body);
  const std::vector<std::string> actions = live->Actions();
  ASSERT_EQ(actions.size(), 1u);
  const model::ActionTiming timing = service.Timing(actions[0]);
  EXPECT_EQ(timing.origin, model::ActionTiming::Origin::kTimer);
  EXPECT_EQ(timing.delay, std::chrono::milliseconds(1000));
  EXPECT_EQ(timing.spread, std::chrono::milliseconds(1000));
  const auto result = live->Handle({model::EventKind::kAction, model::NodeId(0), actions[0]},
                                   [](uint32_t) { return 0u; });
  EXPECT_EQ(result.restarted, actions);
}

}  // namespace
}  // namespace foretell::integration::raft
