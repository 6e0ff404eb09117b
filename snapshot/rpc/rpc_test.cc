// The server and the client together, over real sockets.

#include <atomic>
#include <filesystem>
#include <future>
#include <random>

#include "foretell/snapshot/rpc/client.h"
#include "foretell/snapshot/rpc/pack.h"
#include "foretell/snapshot/rpc/server.h"
#include "foretell/snapshot/testing/fake_endpoint.h"
#include "foretell/snapshot/testing/rpc_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace foretell::snapshot {
namespace {

using absl::StatusCode;
using testing::Each;
using testing::HasSubstr;

// Three nodes that are served, and a client of all of them.
class RpcTest : public testing::Test {
 protected:
  void SetUp() override { Start({}); }
  void Start(const RpcLimits& limits) {
    client_.reset();
    servers_.clear();
    std::vector<Address> addresses;
    for (uint32_t i = 0; i < 3; ++i) {
      if (endpoints_.size() <= i) endpoints_.push_back(std::make_unique<FakeEndpoint>(i));
      servers_.push_back(StartServer(folder_.Socket(i), *endpoints_[i], limits));
      addresses.push_back(servers_.back()->address());
    }
    client_ = StartClient(addresses);
  }

  TempFolder folder_;
  std::vector<std::unique_ptr<FakeEndpoint>> endpoints_;
  std::vector<std::unique_ptr<RpcServer>> servers_;
  std::unique_ptr<RpcClient> client_;
};

std::string RandomBytes(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

TEST_F(RpcTest, CollectsAllNodes) {
  const std::vector<CheckpointReply> replies = client_->Collect(5, kLong);
  ASSERT_EQ(replies.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(replies[i].checkpoint.ok()) << replies[i].checkpoint.status();
    const Checkpoint& checkpoint = **replies[i].checkpoint;
    EXPECT_EQ(checkpoint.node, model::NodeId(i));
    EXPECT_EQ(checkpoint.number, 5u);
    EXPECT_EQ(checkpoint.state.body, "state of node " + std::to_string(i));
    ASSERT_EQ(checkpoint.sent.size(), 1u);
    EXPECT_EQ(checkpoint.sent[0].recent[0].body, "hello");
    ASSERT_EQ(checkpoint.received.size(), 1u);
    EXPECT_EQ(checkpoint.received[0].missing, std::vector<uint64_t>{2});
    EXPECT_GT(replies[i].bytes, 0u);
    EXPECT_EQ(replies[i].bytes, CheckpointPacker(1 << 20).Pack(checkpoint, 0)->bytes.size());
    EXPECT_GT(replies[i].duration.count(), 0);
    EXPECT_FALSE(replies[i].unchanged);
  }
}

TEST_F(RpcTest, InfosAndCounters) {
  const auto infos = client_->Infos(kLong);
  ASSERT_TRUE(infos.at(2).ok()) << infos[2].status();
  EXPECT_EQ(infos[2]->service, "Fake");
  EXPECT_EQ(infos[2]->scenario, "three");
  EXPECT_EQ(infos[2]->version, "7");
  EXPECT_EQ(infos[2]->node, model::NodeId(2));
  EXPECT_EQ(infos[2]->node_count, 3u);
  client_->Collect(1, kLong);
  const auto counters = client_->Counters(kLong);
  ASSERT_TRUE(counters.at(1).ok()) << counters[1].status();
  EXPECT_EQ(counters[1]->events, 42u);
  ASSERT_EQ(counters[1]->hits.size(), 1u);
  EXPECT_EQ(counters[1]->hits[0].decision, "d-1");
}

TEST_F(RpcTest, FiltersReachTheirNode) {
  Filter filter;
  filter.decision = "d-1";
  filter.invariant = "agreement";
  filter.node = model::NodeId(1);
  filter.event = model::Event{model::EventKind::kDeliver, model::NodeId(2), "body"};
  filter.lease = std::chrono::milliseconds(1500);
  EXPECT_THAT(client_->SetFilters({{}, {filter}, {}}, kLong), Each(absl::OkStatus()));
  EXPECT_TRUE(endpoints_[0]->filters().empty());
  EXPECT_EQ(endpoints_[1]->filters(), std::vector<Filter>{filter});
  const auto wrong = client_->SetFilters({{}}, kLong);
  ASSERT_EQ(wrong.size(), 3u);
  EXPECT_EQ(wrong[0].code(), StatusCode::kInvalidArgument);
}

TEST_F(RpcTest, SafetyCutsReachAllNodes) {
  SafetyCut cut;
  cut.number = 12;
  cut.cut.nodes.resize(3);
  cut.cut.nodes[1].body = "second";
  cut.modes["agreement"] = Mode::kEnforce;
  cut.lease = std::chrono::seconds(2);
  EXPECT_THAT(client_->SetSafetyCut(cut, kLong), Each(absl::OkStatus()));
  for (const auto& endpoint : endpoints_) {
    EXPECT_EQ(endpoint->cut().number, 12u);
    EXPECT_EQ(endpoint->cut().cut, cut.cut);
    EXPECT_EQ(endpoint->cut().modes, cut.modes);
    EXPECT_EQ(endpoint->cut().lease, cut.lease);
  }
}

TEST_F(RpcTest, WhatTheEndpointSaysArrivesWithItsCode) {
  SafetyCut cut;
  cut.number = 13;
  for (const absl::Status& status : client_->SetSafetyCut(cut, kLong)) {
    EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
    EXPECT_THAT(status.ToString(), HasSubstr("13 brings bad luck"));
  }
}

TEST_F(RpcTest, WhatHasNotChangedIsANote) {
  client_->Collect(1, kLong);
  const CheckpointReply again = client_->Collect(2, kLong)[0];
  ASSERT_TRUE(again.checkpoint.ok()) << again.checkpoint.status();
  EXPECT_TRUE(again.unchanged);
  EXPECT_EQ(again.bytes, 0u);
  EXPECT_EQ((*again.checkpoint)->number, 2u);
  EXPECT_EQ((*again.checkpoint)->state.body, "state of node 0");
}

TEST_F(RpcTest, WhatHasChangedALittleIsADelta) {
  std::string body = RandomBytes(1 << 20, 1);
  endpoints_[0]->SetBody(body);
  const CheckpointReply whole = client_->Collect(1, kLong)[0];
  ASSERT_TRUE(whole.checkpoint.ok()) << whole.checkpoint.status();
  EXPECT_GT(whole.bytes, 1u << 20);  // Random bytes cannot be compressed.
  body.replace(1000, 5, "other");
  endpoints_[0]->SetBody(body);
  const CheckpointReply delta = client_->Collect(2, kLong)[0];
  ASSERT_TRUE(delta.checkpoint.ok()) << delta.checkpoint.status();
  EXPECT_EQ((*delta.checkpoint)->state.body, body);
  EXPECT_FALSE(delta.unchanged);
  EXPECT_LT(delta.bytes, 2000u);
}

TEST_F(RpcTest, ANodeThatWasStartedAgainIsUsableAgain) {
  client_->Collect(1, kLong);
  servers_[1].reset();
  const std::vector<CheckpointReply> replies = client_->Collect(2, kLong);
  EXPECT_EQ(replies[1].checkpoint.status().code(), StatusCode::kUnavailable)
      << replies[1].checkpoint.status();
  EXPECT_THAT(replies[1].checkpoint.status().ToString(), HasSubstr("node 1 at unix:"));
  EXPECT_TRUE(replies[0].checkpoint.ok());
  EXPECT_TRUE(replies[2].checkpoint.ok());

  servers_[1] = StartServer(folder_.Socket(1), *endpoints_[1]);
  const CheckpointReply back = client_->Collect(3, kLong)[1];
  ASSERT_TRUE(back.checkpoint.ok()) << back.checkpoint.status();
  // The new process has nothing to compare with, but the state is the same.
  EXPECT_TRUE(back.unchanged);
  endpoints_[1]->SetBody("after the restart");
  const CheckpointReply changed = client_->Collect(4, kLong)[1];
  ASSERT_TRUE(changed.checkpoint.ok()) << changed.checkpoint.status();
  EXPECT_EQ((*changed.checkpoint)->state.body, "after the restart");
}

TEST_F(RpcTest, ASlowNodeCostsOnlyItsOwnAnswer) {
  client_->Collect(1, kLong);
  endpoints_[2]->SetManner(FakeEndpoint::Manner::kHold);
  const std::vector<CheckpointReply> replies = CollectDespiteSilence(*client_, 2, {0, 1});
  EXPECT_TRUE(replies[0].checkpoint.ok()) << replies[0].checkpoint.status();
  EXPECT_TRUE(replies[1].checkpoint.ok()) << replies[1].checkpoint.status();
  EXPECT_EQ(replies[2].checkpoint.status().code(), StatusCode::kDeadlineExceeded)
      << replies[2].checkpoint.status();
  // Late answers disturb nobody.
  endpoints_[2]->AwaitHeld(1);
  endpoints_[2]->AnswerHeld();
  endpoints_[2]->SetManner(FakeEndpoint::Manner::kAnswer);
  client_->StartRound();
  EXPECT_TRUE(client_->Collect(3, kLong)[2].checkpoint.ok());
}

// Counted by what the answers say and not by the clock: only the first waits.
TEST_F(RpcTest, ASilentNodeCostsARoundOneTimeout) {
  EXPECT_TRUE(client_->Collect(1, kLong)[2].checkpoint.ok());
  endpoints_[2]->SetManner(FakeEndpoint::Manner::kHold);
  EXPECT_THAT(CollectDespiteSilence(*client_, 2, {0, 1})[2].checkpoint.status().ToString(),
              HasSubstr("no answer within 200 ms"));
  for (int i = 0; i < 3; ++i) {
    const std::vector<CheckpointReply> replies = client_->Collect(2, kLong);
    EXPECT_TRUE(replies[0].checkpoint.ok()) << replies[0].checkpoint.status();
    const absl::Status silent = replies[2].checkpoint.status();
    EXPECT_EQ(silent.code(), StatusCode::kDeadlineExceeded);
    EXPECT_THAT(silent.ToString(), HasSubstr("not waited for"));
  }
  // What is not waited for arrives all the same.
  const Filter filter{.decision = "d-1", .invariant = "agreement", .node = model::NodeId(2)};
  (void)client_->SetFilters({{}, {}, {filter}}, kLong);
  endpoints_[2]->SetManner(FakeEndpoint::Manner::kAnswer);
  client_->StartRound();
  EXPECT_TRUE(client_->Collect(3, kLong)[2].checkpoint.ok());
  EXPECT_EQ(endpoints_[2]->filters().size(), 1u);
}

TEST_F(RpcTest, CallsThatWereGivenUpMakeRoomForOthers) {
  endpoints_[0]->SetManner(FakeEndpoint::Manner::kHold);
  // More than a connection may have under way.
  for (int i = 0; i < 80; ++i) client_->Collect(1, std::chrono::milliseconds(1));
  endpoints_[0]->SetManner(FakeEndpoint::Manner::kAnswer);
  const CheckpointReply reply = client_->Collect(2, kLong)[0];
  EXPECT_TRUE(reply.checkpoint.ok()) << reply.checkpoint.status();
}

TEST_F(RpcTest, RefusalsSayWhy) {
  endpoints_[0]->SetManner(FakeEndpoint::Manner::kPruned);
  endpoints_[1]->SetManner(FakeEndpoint::Manner::kDrop);
  const std::vector<CheckpointReply> replies = client_->Collect(2, kLong);
  EXPECT_EQ(replies[0].checkpoint.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(replies[0].checkpoint.status().ToString(), HasSubstr("the oldest is 17"));
  EXPECT_EQ(replies[1].checkpoint.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(replies[1].checkpoint.status().ToString(), HasSubstr("shutting down"));
  EXPECT_TRUE(replies[2].checkpoint.ok());
}

TEST_F(RpcTest, TheBandwidthCapRefuses) {
  Start({.reply_bytes_per_second = 10});
  const CheckpointReply first = client_->Collect(1, kLong)[0];
  ASSERT_TRUE(first.checkpoint.ok()) << first.checkpoint.status();
  ASSERT_GT(first.bytes, 40u);  // Seconds of debt.
  endpoints_[0]->SetBody("other");
  const CheckpointReply second = client_->Collect(2, kLong)[0];
  EXPECT_EQ(second.checkpoint.status().code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(second.checkpoint.status().ToString(), HasSubstr("10 bytes per second"));
  EXPECT_TRUE(client_->Counters(kLong)[0].ok());
}

TEST_F(RpcTest, ACheckpointBeyondTheLimitIsRefused) {
  Start({.message_bytes_max = 100'000});
  endpoints_[0]->SetBody(std::string(200'000, 'x'));
  const absl::Status status = client_->Collect(1, kLong)[0].checkpoint.status();
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("limit 100000"));
}

TEST_F(RpcTest, HintsArrive) {
  std::promise<model::NodeId> hint;
  RpcClient::Options options;
  options.nodes = {{model::NodeId(0), servers_[0]->address()},
                   {model::NodeId(1), servers_[1]->address()}};
  std::atomic<bool> told = false;
  options.interesting = [&](model::NodeId node) {
    if (!told.exchange(true)) hint.set_value(node);
  };
  client_.reset();
  client_ = StartClient(std::move(options));
  endpoints_[1]->Hint();
  std::future<model::NodeId> heard = hint.get_future();
  ASSERT_EQ(heard.wait_for(kLong), std::future_status::ready);
  EXPECT_EQ(heard.get(), model::NodeId(1));
  client_.reset();
  endpoints_[1]->AwaitNoListener();
}

TEST_F(RpcTest, TheLastOfManyHintsIsNotLost) {
  std::atomic<int> value = 0;
  std::atomic<int> seen = 0;
  std::promise<void> all;
  RpcClient::Options options;
  options.nodes = {{model::NodeId(0), servers_[0]->address()}};
  options.interesting = [&](model::NodeId) {
    if (seen < 1000 && (seen = value.load()) == 1000) all.set_value();
  };
  client_.reset();
  client_ = StartClient(std::move(options));
  for (int i = 1; i <= 1000; ++i) {
    value = i;
    endpoints_[0]->Hint();
  }
  EXPECT_EQ(all.get_future().wait_for(kLong), std::future_status::ready);
  client_.reset();
}

TEST_F(RpcTest, SeveralThreadsMayAsk) {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < 20; ++i) {
        endpoints_[1]->SetBody(RandomBytes(1000, static_cast<uint32_t>(100 * t + i)));
        for (const CheckpointReply& reply : client_->Collect(100 * t + i, kLong)) {
          if (!reply.checkpoint.ok()) continue;
          good += (*reply.checkpoint)->number == 100 * t + i;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 4 * 20 * 3);
}

TEST_F(RpcTest, EndsWhileAnEndpointIsSilent) {
  endpoints_[0]->SetManner(FakeEndpoint::Manner::kHold);
  std::thread asking([this] {
    // Ends when the server does.
    EXPECT_EQ(client_->Collect(1, kLong)[0].checkpoint.status().code(), StatusCode::kUnavailable);
  });
  endpoints_[0]->AwaitHeld(1);
  servers_.clear();
  asking.join();
  endpoints_[0]->AnswerHeld();
}

TEST(RpcLifecycleTest, LeavesNothingBehind) {
  const TempFolder folder;
  // The first use of the libraries opens what stays open.
  for (int round = 0; round < 3; ++round) {
    const long threads = CountOwn("task");
    const long files = CountOwn("fd");
    {
      FakeEndpoint endpoint(0);
      const auto server = StartServer(folder.Socket(0), endpoint);
      const auto client = StartClient({server->address()});
      EXPECT_TRUE(client->Collect(1, kLong)[0].checkpoint.ok());
      EXPECT_GT(CountOwn("fd"), files);
    }
    EXPECT_EQ(AwaitThreads(threads), threads) << "round " << round;
    EXPECT_LE(CountOwn("fd") - files, round == 0 ? 2 : 0) << "round " << round;
    EXPECT_FALSE(std::filesystem::exists(folder.File("node0")));
  }
}

TEST(RpcLifecycleTest, PlainTcpWorksOnThisMachineOnly) {
  FakeEndpoint endpoint(0);
  const auto server = StartServer(Loopback(), endpoint);
  EXPECT_NE(server->address().port, 0);
  const auto client = StartClient({server->address()});
  const CheckpointReply reply = client->Collect(1, kLong)[0];
  EXPECT_TRUE(reply.checkpoint.ok()) << reply.checkpoint.status();

  Address everywhere = Loopback();
  everywhere.host = "0.0.0.0";
  const auto refused = RpcServer::Start(everywhere, {}, {}, endpoint);
  EXPECT_EQ(refused.status().code(), StatusCode::kInvalidArgument) << refused.status();
  RpcClient::Options options;
  options.nodes = {{model::NodeId(0), everywhere}};
  EXPECT_EQ(RpcClient::Start(options).status().code(), StatusCode::kInvalidArgument);
}

TEST(RpcLifecycleTest, NodesOfAClientAreInOrder) {
  RpcClient::Options options;
  options.nodes = {{model::NodeId(1), Loopback()}};
  EXPECT_EQ(RpcClient::Start(options).status().code(), StatusCode::kInvalidArgument);
}

TEST(RpcLifecycleTest, ANodeThatIsNotThereIsUnavailable) {
  const TempFolder folder;
  const auto client = StartClient({folder.Socket(0)});
  const absl::Status status = client->Collect(1, kLong)[0].checkpoint.status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status;
  EXPECT_THAT(status.ToString(), HasSubstr(folder.File("node0")));
}

TEST(RpcLifecycleTest, AnotherNodeThanExpectedIsRefused) {
  const TempFolder folder;
  FakeEndpoint endpoint(2);
  const auto server = StartServer(folder.Socket(0), endpoint);
  const auto client = StartClient({server->address()});
  const absl::Status status = client->Collect(1, kLong)[0].checkpoint.status();
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("says that it is node 2, not 0"));
}

}  // namespace
}  // namespace foretell::snapshot
