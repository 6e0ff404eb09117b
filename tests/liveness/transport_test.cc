// The transport and the ways in which it can never acknowledge everything (MaceMC section 5), by
// the naive judge. Counts are pinned: if one moves, coverage moved.

#include <gtest/gtest.h>

#include "foretell/integration/transport/family.h"
#include "foretell/model/describe.h"
#include "foretell/tests/support/mortal.h"

namespace foretell::tests {
namespace {

using search::NaiveLivenessResult;
using Ways = std::vector<Way>;

NaiveLivenessResult JudgeTransport(const std::string& scenario, const std::string& bug) {
  return Judge(integration::transport::Family(), scenario, bug, "all-acked");
}

// Every step of a path in words.
std::vector<std::string> Story(const std::string& scenario, const std::string& bug,
                               const model::Path& path) {
  const auto system = integration::transport::Family().Make(scenario, bug);
  std::vector<std::string> story;
  for (const model::PathStep& step : path) {
    story.push_back(model::Describe(*system->service, step.node, step.event));
  }
  return story;
}

TEST(TransportLivenessTest, EverythingCanAlwaysBeAcknowledged) {
  const integration::transport::Family family;
  EXPECT_EQ(StatesIfImmortal(family, "one-give-up", "all-acked"), 485u);
  EXPECT_EQ(StatesIfImmortal(family, "two-give-ups", "all-acked"), 10'683u);
  EXPECT_EQ(StatesIfImmortal(family, "crash", "all-acked"), 27'966u);
  EXPECT_EQ(StatesIfImmortal(family, "window", "all-acked"), 231u);
  EXPECT_EQ(StatesIfImmortal(family, "duplicates", "all-acked"), 3'717u);
}

// As the paper tells it, step by step; its critical transition is the last.
TEST(TransportLivenessTest, AStaleSynKillsWithTheAckOf6001) {
  const NaiveLivenessResult result = JudgeTransport("one-give-up", "stale-syn");
  EXPECT_EQ(result.states, 792u);
  EXPECT_EQ(result.transitions, 2'909u);
  EXPECT_EQ(result.dead.size(), 48u);
  EXPECT_EQ(WaysOf(result), (Ways{{0, "deliver Ack", 12, 5}, {1, "deliver Data", 10, 5}}));
  EXPECT_EQ(
      Story("one-give-up", "stale-syn", result.kinds[0].path),
      (std::vector<std::string>{"action Submit() at node 0", "action GiveUp() at node 0",
                                "deliver Data(seq=6001, syn=2, message=1) from node 0 at node 1",
                                "deliver Data(seq=2001, syn=1, message=1) from node 0 at node 1",
                                "deliver Ack(seq=6001) from node 1 at node 0"}));
}

TEST(TransportLivenessTest, AStaleSynKillsInMoreWaysIfThereAreMore) {
  const NaiveLivenessResult result = JudgeTransport("two-give-ups", "stale-syn");
  EXPECT_EQ(result.states, 18'000u);
  EXPECT_EQ(result.transitions, 97'643u);
  EXPECT_EQ(result.dead.size(), 1'344u);
}

// One step more than a toy in which a crash and a restart are one event.
TEST(TransportLivenessTest, AForgetfulReceiverNeedsTheFastReset) {
  const NaiveLivenessResult result = JudgeTransport("crash", "no-fast-reset");
  EXPECT_EQ(result.dead.size(), 64u);
  EXPECT_EQ(WaysOf(result), (Ways{{1, "deliver Data", 14, 7}, {0, "deliver Ack", 16, 7}}));
}

TEST(TransportLivenessTest, AnAckBeyondAllInFlightMustCount) {
  const NaiveLivenessResult result = JudgeTransport("window", "ack-beyond");
  EXPECT_EQ(result.states, 279u);
  EXPECT_EQ(result.dead.size(), 42u);
  EXPECT_EQ(WaysOf(result), (Ways{{0, "action Retransmit", 24, 5}, {1, "deliver Data", 4, 5}}));
}

TEST(TransportLivenessTest, AStaleResetTakesTheLastTry) {
  const NaiveLivenessResult result = JudgeTransport("one-give-up", "stale-reset");
  EXPECT_EQ(result.dead.size(), 165u);
  EXPECT_EQ(WaysOf(result), (Ways{{0, "deliver Reset", 121, 5}}));
}

// As long as nothing is lost, nothing is missing.
TEST(TransportLivenessTest, WithoutRetriesALossIsForEver) {
  const NaiveLivenessResult result = JudgeTransport("one-give-up", "no-retry");
  EXPECT_TRUE(result.dead.empty());
  EXPECT_EQ(result.dead_by_loss.size(), 10u);
  EXPECT_EQ(result.system_states, 13u);
  EXPECT_EQ(Story("one-give-up", "no-retry", result.to_dead_by_loss),
            std::vector<std::string>{"action Submit() at node 0"});
}

}  // namespace
}  // namespace foretell::tests
