#include <gtest/gtest.h>

#include "integration/onepaxos/entry.h"
#include "integration/onepaxos/family.h"
#include "integration/testing/naive_bfs.h"

namespace foretell::integration::onepaxos {
namespace {

using testing::BfsResult;
using testing::MakeOrDie;
using testing::NaiveBfs;

// The length of a shortest path on which the misplaced ++ breaks agreement; it replays.
size_t DepthFrom(const std::string& scenario) {
  const model::System system = MakeOrDie(Family(), scenario, "plus-plus");
  BfsResult result = NaiveBfs(system).Run(100'000, /*stop_at_violation=*/true);
  const model::Path path = result.violations["agreement"];
  const auto violation = model::Confirm(*system.service, system.start, "agreement", path);
  EXPECT_TRUE(violation.ok()) << violation.status();
  return path.size();
}

BfsResult ExploreCorrect(const std::string& scenario) {
  const model::System system = MakeOrDie(Family(), scenario);
  BfsResult result = NaiveBfs(system).Run(100'000);
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.violations.empty());
  return result;
}

TEST(OnePaxosTest, PlusPlusLetsAnOldLeaderDecideAlone) {
  // Propose at node 0, accept at node 0, learn at node 0: the scenario of the paper.
  EXPECT_EQ(DepthFrom("leader-changed"), 3u);
}

TEST(OnePaxosTest, PlusPlusIsFoundFromBoot) { EXPECT_EQ(DepthFrom("boot"), 15u); }

TEST(OnePaxosTest, TheAcceptorRefusesAnOldLeader) {
  EXPECT_EQ(ExploreCorrect("leader-changed").states, 39u);
}

TEST(OnePaxosTest, ANewLeaderKeepsWhatTheOldAcceptorDecided) {
  EXPECT_EQ(ExploreCorrect("acceptor-changed").states, 33'996u);
}

TEST(OnePaxosTest, RefusesTheBugWhereItCannotShow) {
  const auto system = Family().Make("acceptor-changed", "plus-plus");
  ASSERT_FALSE(system.ok());
  EXPECT_EQ(std::string(system.status().message()),
            "bug plus-plus does not go with acceptor-changed, where node 1 was the first acceptor");
}

TEST(OnePaxosTest, UnpacksWhatItPacked) {
  const Entry entry = Unpack(Pack({EntryKind::kAcceptorChange, 2, 1, 3}));
  EXPECT_EQ(entry.kind, EntryKind::kAcceptorChange);
  EXPECT_EQ(entry.by, 2u);
  EXPECT_EQ(entry.node, 1u);
  EXPECT_EQ(entry.handed, 3u);
}

TEST(OnePaxosTest, AnAcceptorChangeByADeposedLeaderDoesNotCount) {
  paxos::Log utility;
  utility.At(0).learner.chosen = Pack({EntryKind::kLeaderChange, 2, 2});
  utility.At(1).learner.chosen = Pack({EntryKind::kAcceptorChange, 0, 2, 1});
  const View view = ViewOf(utility);
  EXPECT_EQ(view.leader, 2u);
  EXPECT_EQ(view.acceptor, 1u);
  EXPECT_EQ(view.epoch, 1u);
  EXPECT_EQ(view.handed, 0u);
}

}  // namespace
}  // namespace foretell::integration::onepaxos
