#include <gtest/gtest.h>

#include "foretell/integration/testing/explore_family.h"
#include "foretell/integration/zab/family.h"

namespace foretell::integration::zab {
namespace {

using model::NodeId;
using testing::DepthOf;
using testing::ExploreCorrect;
using testing::Finish;

// The first follower chooses the first leader each time: all follow one, and all deliver.
TEST(ZabTest, FollowersOfOneLeaderDeliverTheTransaction) {
  const std::vector<State> states = Finish<State>(Family(), "zab-6", /*first=*/true);
  EXPECT_EQ(states[0].leader.phase, Phase::kBroadcasts);
  for (size_t n = 3; n < 6; ++n) {
    EXPECT_EQ(states[n].follower.leader, NodeId(0));
    EXPECT_EQ(states[n].follower.delivered, (Zxid{1, 1}));
  }
}

TEST(ZabTest, TwoLeadersAreCorrectInEveryState) {
  EXPECT_GT(ExploreCorrect(Family(), "zab-5").states, 1'000u);
}

TEST(ZabTest, WhoComesLateCatchesUp) {
  const Protocol protocol;
  State leader;
  leader.leader = {.phase = Phase::kBroadcasts,
                   .epoch = 1,
                   .history = {1, 1},
                   .committed = {1, 1},
                   .followers = {NodeId(3), NodeId(4)},
                   .submitted = true};
  State late = protocol.Initial(NodeId(5));
  Protocol::Message message = Cepoch{0};
  for (size_t round = 0; round < 3; ++round) {
    Protocol::Context up(NodeId(0), 6, std::span<const uint32_t>());
    protocol.OnMessage(leader, NodeId(5), message, up);
    for (const model::Send& send : up.Take().sends) {
      EXPECT_EQ(send.to, NodeId(5));
      Protocol::Context down(NodeId(5), 6, std::span<const uint32_t>());
      protocol.OnMessage(late, NodeId(0), *model::Decode<Protocol::Message>(send.body), down);
      const auto answers = down.Take().sends;
      if (!answers.empty()) message = *model::Decode<Protocol::Message>(answers[0].body);
    }
  }
  EXPECT_EQ(late.follower.delivered, (Zxid{1, 1}));
}

TEST(ZabTest, BugsAreFound) {
  EXPECT_EQ(DepthOf(Family(), "first-history", "zab-5", "integrity"), 9u);
  EXPECT_EQ(DepthOf(Family(), "no-majority", "zab-5", "integrity"), 9u);
}

}  // namespace
}  // namespace foretell::integration::zab
