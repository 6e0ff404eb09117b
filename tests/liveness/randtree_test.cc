// Trees that never become one (MaceMC sections 2 and 6), by the naive judge. Counts are pinned: if
// one moves, coverage moved.

#include <gtest/gtest.h>

#include "foretell/integration/randtree/family.h"
#include "foretell/model/describe.h"
#include "foretell/tests/support/mortal.h"

namespace foretell::tests {
namespace {

using integration::randtree::Family;
using model::NodeId;
using search::NaiveLivenessResult;
using Ways = std::vector<Way>;

// The ways into death, and how many states are dead.
Ways WaysInto(size_t dead, const std::string& scenario, const std::string& bug,
              const std::string& property) {
  const NaiveLivenessResult result = Judge(Family(), scenario, bug, property);
  EXPECT_EQ(result.dead.size(), dead) << scenario << " " << bug << " " << property;
  return WaysOf(result);
}

class ImmortalRandTreeTest : public testing::TestWithParam<const char*> {};

TEST_P(ImmortalRandTreeTest, CanAlwaysBecomeOneTree) {
  for (const char* const property : {"all-joined", "one-root", "kids-match", "one-tree"}) {
    EXPECT_GT(StatesIfImmortal(Family(), GetParam(), property), 28u);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, ImmortalRandTreeTest,
                         testing::Values("chain", "leaf-resets", "middle-resets", "root-resets",
                                         "narrow", "reverse", "lost-root", "mutual", "late-leave"));

// The state after `path`.
model::PlainSystem After(const model::System& system, const model::Path& path) {
  model::PlainSystem plain(*system.service, system.start);
  for (const model::PathStep& step : path) EXPECT_TRUE(plain.Apply(step).ok());
  return plain;
}

// As the paper tells it: node 2 asks through node 1, node 0 takes it in, node 2 resets, and the
// JoinReply reaches its new life.
TEST(RandTreeLivenessTest, AnOutsiderThatIgnoresAReplyNeverGetsIn) {
  const Ways by_reply = {{2, "deliver JoinReply", 6, 9}};
  EXPECT_EQ(WaysInto(22, "leaf-resets", "init-ignores-reply", "kids-match"), by_reply);
  EXPECT_EQ(WaysInto(22, "leaf-resets", "init-ignores-reply", "all-joined"), by_reply);
}

// The twin of the paper: node 2 is asked to join first, and then gets the same reply.
TEST(RandTreeLivenessTest, ToBeAskedToJoinFirstSavesTheOutsider) {
  const auto system = Family().Make("leaf-resets", "init-ignores-reply");
  const NaiveLivenessResult result =
      Judge(Family(), "leaf-resets", "init-ignores-reply", "kids-match");
  model::Path path = result.kinds[0].path;
  const model::PathStep reply = path.back();
  EXPECT_TRUE(result.dead.contains(After(*system, path).Canonical()));
  path.pop_back();
  model::PlainSystem twin = After(*system, path);
  EXPECT_FALSE(result.dead.contains(twin.Canonical()));
  for (const model::PathStep& step : twin.Enabled()) {
    if (step.node != NodeId(2) || step.event.kind != model::EventKind::kAction) continue;
    EXPECT_EQ(model::Describe(*system->service, step.node, step.event),
              "action JoinOverlay() at node 2");
    path.push_back(step);
  }
  path.push_back(reply);
  EXPECT_EQ(path.size(), 10u);
  EXPECT_FALSE(result.dead.contains(After(*system, path).Canonical()));
}

// Whether the dead state at the end of section 6 is one no more once `node` has been restarted.
bool Cures(uint32_t node) {
  const auto system = Family().Make("leaf-resets", "init-ignores-reply");
  const NaiveLivenessResult result =
      Judge(Family(), "leaf-resets", "init-ignores-reply", "kids-match");
  model::SystemCut cut = After(*system, result.kinds[0].path).state();
  const model::Event crash{.kind = model::EventKind::kCrash};
  const model::Event restart{.kind = model::EventKind::kRestart};
  cut.nodes[node].body =
      system->service->Run(NodeId(node), cut.nodes[node].body, std::span(&crash, 1), {}).state;
  std::erase_if(cut.in_flight, [&](const auto& message) { return message.to == NodeId(node); });
  const auto up =
      system->service->Run(NodeId(node), cut.nodes[node].body, std::span(&restart, 1), {});
  cut.nodes[node].body = up.state;
  for (const model::Send& send : up.sends)
    cut.in_flight.push_back({NodeId(node), send.to, send.body});
  return !search::NaiveLiveness(*system->service, cut, IndexOf(*system->service, "kids-match"))
              .start_dead;
}

TEST(RandTreeLivenessTest, ToRestartTheChildOrItsParentHelpsAndTheThirdDoesNot) {
  EXPECT_TRUE(Cures(2));
  EXPECT_TRUE(Cures(0));
  EXPECT_FALSE(Cures(1));
}

TEST(RandTreeLivenessTest, AForgottenRecoveryTimerKeepsTreesApart) {
  EXPECT_EQ(WaysInto(32, "chain", "forgets-recovery", "one-root"),
            (Ways{{1, "deliver Join", 7, 3}}));
}

TEST(RandTreeLivenessTest, AMemberThatKeepsSilentIsAChildForEver) {
  EXPECT_EQ(WaysInto(36, "chain", "keeps-silent", "kids-match"),
            (Ways{{1, "deliver Join", 1, 5}, {0, "deliver Join", 8, 5}}));
  EXPECT_EQ(WaysInto(12, "chain", "keeps-silent", "all-joined"),
            (Ways{{1, "deliver ProbeJoin", 4, 9}}));
}

TEST(RandTreeLivenessTest, WhoLeavesWhileItsParentIsJoiningIsAChildForEver) {
  EXPECT_EQ(WaysInto(546, "late-leave", "remove-only-joined", "kids-match"),
            (Ways{{1, "deliver Remove", 30, 5}}));
}

TEST(RandTreeLivenessTest, AParentThatDoesNotTellLosesItsChild) {
  EXPECT_EQ(WaysInto(135, "leaf-resets", "no-rejoin", "kids-match"),
            (Ways{{2, "deliver JoinReply", 20, 15},
                  {1, "deliver Gone", 12, 15},
                  {1, "deliver JoinReply", 2, 15}}));
  EXPECT_EQ(WaysInto(467, "narrow", "no-rejoin", "kids-match"), (Ways{{0, "deliver Join", 6, 15}}));
}

TEST(RandTreeLivenessTest, WhoKeepsARootThatIsGoneIsAnOrphan) {
  EXPECT_EQ(WaysInto(180, "lost-root", "old-root", "kids-match"),
            (Ways{{2, "action JoinTimeout", 180, 5}}));
}

}  // namespace
}  // namespace foretell::tests
