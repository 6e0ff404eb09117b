#include <gtest/gtest.h>

#include "foretell/integration/onepaxos/entry.h"
#include "foretell/integration/onepaxos/family.h"
#include "foretell/integration/testing/explore_family.h"

namespace foretell::integration::onepaxos {
namespace {

// The length of a shortest path on which the misplaced ++ breaks agreement.
size_t DepthFrom(const std::string& scenario) {
  return testing::DepthOf(Family(), "plus-plus", scenario, "agreement");
}

TEST(OnePaxosTest, PlusPlusLetsAnOldLeaderDecideAlone) {
  // Propose at node 0, accept at node 0, learn at node 0: the scenario of the paper.
  EXPECT_EQ(DepthFrom("leader-changed"), 3u);
}

TEST(OnePaxosTest, PlusPlusIsFoundFromBoot) { EXPECT_EQ(DepthFrom("boot"), 15u); }

TEST(OnePaxosTest, TheAcceptorRefusesAnOldLeader) {
  EXPECT_EQ(testing::ExploreCorrect(Family(), "leader-changed").states, 39u);
}

TEST(OnePaxosTest, ANewLeaderKeepsWhatTheOldAcceptorDecided) {
  EXPECT_EQ(testing::ExploreCorrect(Family(), "acceptor-changed").states, 33'996u);
}

TEST(OnePaxosTest, RefusesTheBugWhereItCannotShow) {
  const auto system = Family().Make("acceptor-changed", "plus-plus");
  ASSERT_FALSE(system.ok());
  EXPECT_EQ(
      std::string(system.status().message()),
      "bug plus-plus needs the first acceptor still in charge, which scenario acceptor-changed "
      "does not have");
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
