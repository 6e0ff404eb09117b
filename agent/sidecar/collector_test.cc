#include "foretell/agent/sidecar/collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::agent {
namespace {

using predictors::testing::MakeToy;
using testing::HasSubstr;

// Two nodes that answer what a test tells them to.
class FakeNodes : public snapshot::RpcClient {
 public:
  explicit FakeNodes(const model::System& system) {
    for (uint32_t n = 0; n < 2; ++n) {
      infos[n] = snapshot::NodeInfo{.version = "1", .node = model::NodeId(n), .node_count = 2};
      checkpoints[n].node = model::NodeId(n);
      checkpoints[n].life = 1;
      checkpoints[n].state = system.start.nodes[n];
    }
  }
  std::vector<snapshot::CheckpointReply> Collect(uint64_t number, Timeout) override {
    std::vector<snapshot::CheckpointReply> replies(2);
    for (size_t n = 0; n < 2; ++n) {
      auto checkpoint = std::make_shared<snapshot::Checkpoint>(checkpoints[n]);
      checkpoint->number += number;
      replies[n].checkpoint = std::move(checkpoint);
    }
    asked = number;
    return replies;
  }
  std::vector<absl::StatusOr<snapshot::NodeInfo>> Infos(Timeout) override {
    return {infos[0], infos[1]};
  }
  std::vector<absl::StatusOr<snapshot::NodeCounters>> Counters(Timeout) override { return {}; }
  std::vector<absl::Status> SetFilters(const std::vector<std::vector<snapshot::Filter>>&,
                                       Timeout) override {
    return {};
  }
  std::vector<absl::Status> SetSafetyCut(const snapshot::SafetyCut&, Timeout) override {
    return {};
  }

  absl::StatusOr<snapshot::NodeInfo> infos[2];
  snapshot::Checkpoint checkpoints[2];  // Their number is added to what is asked for.
  uint64_t asked = 0;
};

class CollectorTest : public testing::Test {
 protected:
  const model::System system_ = MakeToy();
  const snapshot::Origin origin_{.version = "1"};
  FakeNodes nodes_{system_};
  Collector collector_{*system_.service, origin_, nodes_, std::chrono::milliseconds(1)};
};

TEST_F(CollectorTest, AStrangerStaysOneWhenItDoesNotSayWhoItIs) {
  nodes_.infos[1]->version = "2";
  EXPECT_THAT(collector_.Collect().reasons[1], HasSubstr("its service version is '2', ours '1'"));
  nodes_.infos[1] = absl::DeadlineExceededError("busy");
  collector_.RefreshIdentities();
  const Collected collected = collector_.Collect();
  EXPECT_EQ(collected.nodes[1].answer, NodeAnswer::kUnidentified);
  EXPECT_EQ(collected.snapshot->absent.size(), 1u);
}

TEST_F(CollectorTest, ANodeThatWasStartedAgainSaysWhoItIs) {
  EXPECT_TRUE(collector_.Collect().snapshot->absent.empty());
  nodes_.infos[1]->version = "2";
  nodes_.checkpoints[1].life = 2;
  EXPECT_EQ(collector_.Collect().nodes[1].answer, NodeAnswer::kWrongVersion);
  nodes_.infos[1]->version = "1";
  nodes_.checkpoints[1].life = 3;
  EXPECT_TRUE(collector_.Collect().snapshot->absent.empty());
}

TEST_F(CollectorTest, ANumberOutOfTheBlueLocksNobodyOut) {
  nodes_.infos[1]->checkpoint = uint64_t{1} << 60;
  EXPECT_EQ(collector_.Collect().snapshot->absent.size(), 1u);
  EXPECT_EQ(nodes_.asked, 1u);
  nodes_.infos[1]->checkpoint = 0;
  nodes_.checkpoints[1].number = uint64_t{1} << 60;
  collector_.RefreshIdentities();
  EXPECT_EQ(collector_.Collect().nodes[1].answer, NodeAnswer::kGarbage);
  EXPECT_EQ(nodes_.asked, 2u);
  nodes_.checkpoints[1].number = 0;
  EXPECT_TRUE(collector_.Collect().snapshot->absent.empty());
  EXPECT_EQ(nodes_.asked, 3u);
}

TEST_F(CollectorTest, NonsenseCostsOnlyItsOwnNode) {
  nodes_.checkpoints[1].state.body = "no state at all";
  const Collected collected = collector_.Collect();
  ASSERT_TRUE(collected.snapshot.ok()) << collected.snapshot.status();
  EXPECT_EQ(collected.nodes[1].answer, NodeAnswer::kGarbage);
  nodes_.checkpoints[0].sent = {{.to = model::NodeId(7)}};
  EXPECT_EQ(collector_.Collect().nodes[0].answer, NodeAnswer::kGarbage);
}

}  // namespace
}  // namespace foretell::agent
