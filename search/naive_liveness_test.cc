#include "foretell/search/naive_liveness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"
#include "foretell/search/testing/ask_protocol.h"

namespace foretell::search {
namespace {

using model::NodeId;

NaiveLivenessResult Judge(const AskProtocol& protocol, NaiveLivenessOptions options = {}) {
  const auto service = model::MakeService(protocol);
  const model::SystemCut start = model::InitialCut(*service);
  NaiveLivenessResult result = NaiveLiveness(*service, start, 0, options);
  for (const model::CriticalKind& kind : result.kinds) {
    EXPECT_TRUE(model::Replay(*service, start, kind.path).ok()) << kind.event;
  }
  return result;
}

// Called, asked, answered; all that is needed can be counted on.
TEST(NaiveLivenessTest, NothingIsDeadWhereEverythingHelps) {
  const NaiveLivenessResult result = Judge({.retries = true}, {.copies_max = 1});
  EXPECT_TRUE(result.finished);
  EXPECT_FALSE(result.start_dead);
  // Before the call; then a question, an answer or both are in flight; then either or none.
  EXPECT_EQ(result.states, 7u);
  EXPECT_EQ(result.live, 3u);
  EXPECT_TRUE(result.dead.empty());
  EXPECT_TRUE(result.kinds.empty());
  EXPECT_EQ(result.system_states, 3u);
  EXPECT_TRUE(result.dead_by_loss.empty());
}

TEST(NaiveLivenessTest, WhoNeverAsksAgainIsDeadByLossAlone) {
  const NaiveLivenessResult result = Judge({});
  EXPECT_TRUE(result.finished);
  EXPECT_TRUE(result.dead.empty());
  ASSERT_EQ(result.dead_by_loss.size(), 1u);
  EXPECT_TRUE(result.dead_by_loss.begin()->in_flight.empty());
  EXPECT_EQ(result.to_dead_by_loss.size(), 1u);
}

TEST(NaiveLivenessTest, CallsCountOnlyIfTheyAreCountedOn) {
  const NaiveLivenessResult result = Judge({}, {.count_on = model::CountOn::kHelpful});
  EXPECT_TRUE(result.start_dead);
  EXPECT_EQ(result.dead.size(), 1u);
  EXPECT_TRUE(result.kinds.empty());  // The way out of death is no way into it.
}

// To go deaf can happen and to recover can happen, and neither can be counted on.
TEST(NaiveLivenessTest, AdverseActionsKillAndDoNotHeal) {
  const NaiveLivenessResult result = Judge({.retries = true, .goes_deaf = true}, {.copies_max = 1});
  EXPECT_TRUE(result.finished);
  EXPECT_FALSE(result.dead.empty());
  ASSERT_EQ(result.kinds.size(), 1u);
  EXPECT_EQ(result.kinds[0].event, "action GoDeaf");
  EXPECT_EQ(result.kinds[0].node, NodeId(1));
  EXPECT_EQ(result.kinds[0].path.size(), 1u);
  for (const model::SystemCut& cut : result.dead) {
    EXPECT_TRUE(result.dead_by_loss.contains({cut.nodes, {}}));
  }
}

TEST(NaiveLivenessTest, AnOutcomeOfWeightZeroIsAdverse) {
  const NaiveLivenessResult result = Judge({.shrugs = true});
  ASSERT_EQ(result.kinds.size(), 1u);
  EXPECT_EQ(result.kinds[0].event, "deliver Question");
  EXPECT_EQ(result.kinds[0].transitions, 1u);
  EXPECT_EQ(result.kinds[0].path.size(), 2u);
  EXPECT_EQ(result.kinds[0].path[1].choices, (std::vector<uint32_t>{1}));
}

TEST(NaiveLivenessTest, FailedNodesAreNeverLive) {
  const NaiveLivenessResult result = Judge({.fails = true}, {.count_on = model::CountOn::kCalls});
  EXPECT_TRUE(result.start_dead);
  EXPECT_EQ(result.live, 0u);
}

// A crash forgets that somebody asked: it heals, and is not counted on. A restart is.
TEST(NaiveLivenessTest, ACrashIsNoHelpAndARestartIs) {
  const NaiveLivenessResult result = Judge({.shrugs = true, .crashes_max = 1});
  ASSERT_EQ(result.kinds.size(), 1u);
  EXPECT_GT(result.kinds[0].transitions, 1u);  // Also after the crash.
  EXPECT_TRUE(std::any_of(
      result.dead_by_loss.begin(), result.dead_by_loss.end(),
      [](const auto& cut) { return cut.nodes[0].faults[model::FaultKind::kCrash] == 0; }));
  for (const model::SystemCut& cut : result.dead) {
    EXPECT_NE(cut.nodes[0].status, model::NodeStatus::kDown);
  }
}

TEST(NaiveLivenessTest, CopiesBeyondTheCapAreLostAndCounted) {
  const NaiveLivenessResult one = Judge({.retries = true}, {.copies_max = 1});
  const NaiveLivenessResult two = Judge({.retries = true}, {.copies_max = 2});
  EXPECT_GT(one.capped, 0u);
  EXPECT_GT(two.states, one.states);
  EXPECT_FALSE(Judge({.retries = true}, {.states_max = 1'000}).finished);
}

// What a limit cuts off counts as alive.
TEST(NaiveLivenessTest, ALimitMakesNothingDead) {
  const NaiveLivenessResult all = Judge({.goes_deaf = true});
  ASSERT_TRUE(all.finished);
  for (uint64_t limit = 1; limit < all.states; ++limit) {
    const NaiveLivenessResult some = Judge({.goes_deaf = true}, {.states_max = limit});
    EXPECT_FALSE(some.finished);
    for (const model::SystemCut& cut : some.dead) EXPECT_TRUE(all.dead.contains(cut));
  }
}

}  // namespace
}  // namespace foretell::search
