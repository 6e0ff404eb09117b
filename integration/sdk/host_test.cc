#include "foretell/integration/sdk/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <filesystem>

#include "foretell/integration/catalog.h"
#include "foretell/integration/sdk/testing/cluster.h"
#include "foretell/integration/sdk/testing/relay.h"
#include "foretell/snapshot/protocol/cut_assembly.h"
#include "foretell/snapshot/rpc/client.h"

namespace foretell::integration::sdk {
namespace {

using model::NodeId;
using testing::Cluster;
using ::testing::HasSubstr;
using testing::kHang;
using testing::MakeRelay;
using testing::Relay;
using ::testing::StartsWith;

std::string TempDirectory() {
  std::string pattern = ::testing::TempDir() + "hostXXXXXX";
  return mkdtemp(pattern.data());
}

model::System LivePaxos() {
  for (const auto& family : BuiltinServices()) {
    if (family->name() == "paxos") return *family->Make("live", "");
  }
  return {};
}

TEST(HostTest, MessagesReachEverybody) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  EXPECT_THAT(cluster.Ask(0, "call Say"), StartsWith("ok Say"));
  for (uint32_t n = 0; n < 3; ++n) EXPECT_TRUE(cluster.Await(n, "state", "count = 1"));
  for (uint32_t n = 0; n < 3; ++n) EXPECT_TRUE(cluster.Stop(n).ok());
}

TEST(HostTest, PaxosDecides) {
  const model::System system = LivePaxos();
  Cluster cluster(*system.service);
  cluster.StartAll();
  EXPECT_THAT(cluster.Ask(0, "call Propose"), StartsWith("ok Propose"));
  for (uint32_t n = 0; n < 3; ++n) EXPECT_TRUE(cluster.Await(n, "state", "chosen = 1"));
  EXPECT_EQ(cluster.Ask(1, "projections"), cluster.Ask(2, "projections"));
}

TEST(HostTest, NothingHappensBeforePeersAreKnown) {
  const auto service = MakeRelay({.ticks_max = 3});
  Cluster cluster(*service);
  cluster.Start(0);
  EXPECT_THAT(cluster.Ask(0, "call Say"), StartsWith("error peers are not known"));
  EXPECT_THAT(cluster.Ask(0, "peers 127.0.0.1:1"), StartsWith("error addresses of 1 nodes"));
  EXPECT_THAT(cluster.Ask(0, "peers a,b,c"), StartsWith("error address \"a\""));
  EXPECT_THAT(cluster.Ask(0, "stats"), HasSubstr("\ntimers 0\n"));
  cluster.Connect();
  EXPECT_TRUE(cluster.Await(0, "state", "ticks = 3"));
}

TEST(HostTest, CommandsAnswer) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  EXPECT_THAT(cluster.Ask(0, "calls"), HasSubstr("Lock"));
  EXPECT_THAT(cluster.Ask(0, "calls"), ::testing::EndsWith("\n."));
  EXPECT_THAT(cluster.Ask(0, "call Nothing"), StartsWith("error 'Nothing'"));
  EXPECT_EQ(cluster.Ask(0, "projections"), "one-lock none\n.");
  cluster.Ask(0, "call Lock");
  EXPECT_EQ(cluster.Ask(0, "projections"), "one-lock 01\n.");
  EXPECT_EQ(cluster.Ask(0, "events"), "call Lock 1\n.");
  EXPECT_THAT(cluster.Ask(0, "faults loss=0.5"), StartsWith("ok loss=0.5 "));
  EXPECT_THAT(cluster.Ask(0, "faults loss=2"), StartsWith("error fault loss=2"));
  EXPECT_THAT(cluster.Ask(0, "dance"), StartsWith("error unknown command 'dance'"));
  EXPECT_EQ(cluster.Ask(0, "stop"), "ok");
  EXPECT_TRUE(cluster.Join(0).ok());
}

TEST(HostTest, TimeOfASteppedNodePassesByCommandOnly) {
  const auto service = MakeRelay({.ticks_max = 1});
  Cluster cluster(*service);
  cluster.StartAll([](HostOptions& options) { options.stepped = true; });
  // A tick is due after a millisecond and up to a quarter of one.
  EXPECT_THAT(cluster.Ask(0, "clock"), ::testing::ContainsRegex("^ok 0 1[012][0-9][0-9] [0-2]$"));
  EXPECT_THAT(cluster.Ask(0, "clock 2000"), StartsWith("ok 2000 "));
  EXPECT_TRUE(cluster.Await(0, "state", "ticks = 1\n"));
  EXPECT_THAT(cluster.Ask(0, "clock"), StartsWith("ok 2000 - "));
  cluster.Ask(0, "faults delay=20s");
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(0, "state", "count = 1\n")) << "what is for itself needs no time";
  EXPECT_THAT(cluster.Ask(0, "clock 20001999"), StartsWith("ok 20001999 20002000 "));
  EXPECT_THAT(cluster.Ask(0, "clock 5"), StartsWith("ok 20001999 20002000 ")) << "never back";
  EXPECT_TRUE(cluster.Await(1, "clock", " 2")) << "the greetings of two peers, and nothing else";
  cluster.Ask(0, "clock 20002000");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 1\n"));
  EXPECT_THAT(cluster.Ask(1, "state"), HasSubstr("ticks = 0\n"));
  EXPECT_EQ(cluster.Ask(1, "hint"), "error no agent listens");
  EXPECT_THAT(cluster.Ask(1, "clock soon"), StartsWith("error clock 'soon': write microseconds"));
  EXPECT_THAT(cluster.Ask(1, "clock -1"), StartsWith("error clock '-1'"));
}

TEST(HostTest, OtherNodesHaveNoClockToStep) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  EXPECT_EQ(cluster.Ask(0, "clock 1"), "error this node goes by the machine's clock");
}

TEST(HostTest, AFailedHandlerStopsTheNode) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  cluster.host(0).Execute("call Fail", [](const std::string&) {});
  const absl::Status result = cluster.Join(0);
  EXPECT_EQ(result.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(std::string(result.message()), HasSubstr("asked to fail"));
  EXPECT_THAT(cluster.Ask(1, "call Say"), StartsWith("ok"));
}

TEST(HostTest, DatagramsHaveALimit) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  EXPECT_THAT(cluster.Ask(0, "call Shout"), StartsWith("ok"));
  EXPECT_TRUE(cluster.Await(0, "stats", "\noversized 2\n"));
  EXPECT_TRUE(cluster.Await(0, "state", "count = 1"));
}

TEST(HostTest, InjectedLossHitsOthersOnly) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  cluster.Ask(0, "faults loss=1");
  for (int i = 0; i < 10; ++i) cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(0, "state", "count = 10"));
  EXPECT_THAT(cluster.Ask(0, "stats"), HasSubstr("\nfault-lost 20\n"));
  cluster.Ask(0, "faults off");
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 1\n"));
}

TEST(HostTest, DelayedAndDoubledMessagesArriveOnce) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  cluster.Ask(0, "faults delay=1ms..20ms duplicate=1 reorder=0.5");
  for (int i = 0; i < 20; ++i) cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 20\n"));
  EXPECT_TRUE(cluster.Await(1, "stats", "\nduplicates 20\n"));
  EXPECT_THAT(cluster.Ask(0, "stats"), HasSubstr("\nfault-duplicated 40\n"));
}

TEST(HostTest, PartitionsCutBothWaysUntilHealed) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  cluster.Ask(1, "faults partition=0");
  cluster.Ask(0, "call Say");
  cluster.Ask(1, "call Say");
  EXPECT_TRUE(cluster.Await(2, "state", "count = 2\n"));
  EXPECT_TRUE(cluster.Await(1, "stats", "\nfault-cut 2\n"));
  EXPECT_TRUE(cluster.Await(0, "state", "count = 1\n"));
  cluster.Ask(1, "faults partition=");
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 2\n"));
}

TEST(HostTest, OtherClustersAreNotListenedTo) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.Start(0, [](HostOptions& options) { options.cluster = "another"; });
  cluster.Start(1);
  cluster.Start(2);
  cluster.Connect();
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "stats", "\nother-cluster 2\n"));
  cluster.Ask(2, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 1\n"));
}

TEST(HostTest, StreamsKeepTheirOrderAndTakeLargeBodies) {
  const auto service = MakeRelay({.streams = true});
  Cluster cluster(*service);
  cluster.StartAll();
  for (int i = 0; i < 300; ++i) cluster.Ask(0, i % 10 == 0 ? "call Shout" : "call Say");
  for (uint32_t n = 0; n < 3; ++n) {
    EXPECT_TRUE(cluster.Await(n, "state", "count = 300"));
    EXPECT_THAT(cluster.Ask(n, "state"), HasSubstr("disordered = 0\n"));
    EXPECT_THAT(cluster.Ask(n, "state"), HasSubstr("breaks = 0\n"));
  }
}

TEST(HostTest, DelayedStreamsKeepTheirOrder) {
  const auto service = MakeRelay({.streams = true});
  Cluster cluster(*service);
  cluster.StartAll();
  cluster.Ask(0, "faults delay=0ms..5ms reorder=0.5 duplicate=0.5");
  for (int i = 0; i < 50; ++i) cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 50"));
  EXPECT_THAT(cluster.Ask(1, "state"), HasSubstr("disordered = 0\n"));
  EXPECT_THAT(cluster.Ask(1, "stats"), HasSubstr("\ngaps 0\n"));
}

TEST(HostTest, StreamsBreakAndComeBack) {
  const auto service = MakeRelay({.streams = true});
  Cluster cluster(*service);
  cluster.StartAll();
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 1\n"));
  EXPECT_TRUE(cluster.Stop(0).ok());
  EXPECT_TRUE(cluster.Await(1, "state", "breaks = 1\n"));
  EXPECT_TRUE(cluster.Await(2, "state", "breaks = 1\n"));
  cluster.Start(0, [](HostOptions& options) { options.life = 2; });
  cluster.Connect();
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 2\n"));
  cluster.Ask(1, "call Say");
  EXPECT_TRUE(cluster.Await(0, "state", "count = 2\n"));
}

TEST(HostTest, ALossBreaksAStream) {
  const auto service = MakeRelay({.streams = true});
  Cluster cluster(*service);
  cluster.StartAll();
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 1\n"));
  EXPECT_TRUE(cluster.Await(2, "state", "count = 1\n"));
  cluster.Ask(0, "faults loss=1");
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "breaks = 1\n"));
  cluster.Ask(0, "faults off");
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 2\n"));
  EXPECT_THAT(cluster.Ask(1, "stats"), HasSubstr("\ngaps 0\n"));
}

TEST(HostTest, WhatIsAnsweredSurvivesAKill) {
  const std::string directory = TempDirectory();
  const auto service = MakeRelay({.nodes = 1});
  {
    Cluster cluster(*service);
    cluster.Start(0, [&](HostOptions& options) { options.store = directory + "/node"; });
    cluster.Connect();
    for (int i = 0; i < 7; ++i) cluster.Ask(0, "call Keep");
    cluster.Ask(0, "call Say");
    // The disk as a kill at this moment would leave it.
    std::filesystem::copy(directory + "/node", directory + "/killed");
  }
  Cluster cluster(*service);
  cluster.Start(0, [&](HostOptions& options) { options.store = directory + "/killed"; });
  cluster.Connect();
  const std::string state = cluster.Ask(0, "state");
  EXPECT_THAT(state, HasSubstr("kept = 7\n"));
  EXPECT_THAT(state, HasSubstr("said = 0\n"));
  EXPECT_THAT(state, HasSubstr("restarts = 1\n"));
  std::filesystem::remove_all(directory);
}

TEST(HostTest, LaterLivesUseNewNumbers) {
  const std::string directory = TempDirectory();
  const auto service = MakeRelay({.nodes = 2});
  Cluster cluster(*service);
  const auto store = [&](HostOptions& options) {
    options.store = absl::StrCat(directory, "/", options.node.value());
  };
  cluster.StartAll(store);
  std::promise<absl::Status> answered;
  cluster.host(0).endpoint().RequestCheckpoint(
      5, [&answered](auto checkpoint) { answered.set_value(checkpoint.status()); });
  EXPECT_TRUE(answered.get_future().get().ok());
  EXPECT_TRUE(cluster.Stop(0).ok());
  cluster.Start(0, store);
  EXPECT_GE(cluster.host(0).endpoint().Info().checkpoint, 5u);
  cluster.Connect();
  // Node 1 heard of an earlier life; it listens to this one.
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(1, "state", "count = 1\n"));
  std::filesystem::remove_all(directory);
}

TEST(HostTest, AFullDiskStopsTheNodeInsteadOfLying) {
  const std::string directory = TempDirectory();
  const auto service = MakeRelay({.nodes = 1});
  Cluster cluster(*service);
  cluster.Start(0, [&](HostOptions& options) { options.store = directory; });
  cluster.Connect();
  struct rlimit old = {};
  getrlimit(RLIMIT_FSIZE, &old);
  struct rlimit none = {.rlim_cur = 0, .rlim_max = old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &none);
  std::atomic<bool> answered = false;
  cluster.host(0).Execute("call Keep", [&answered](const std::string&) { answered = true; });
  const absl::Status result = cluster.Join(0);
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(result.code(), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(answered);
  std::filesystem::remove_all(directory);
}

TEST(HostTest, AgentsGetConsistentCutsOfABusyCluster) {
  const std::string directory = TempDirectory();
  const model::System system = LivePaxos();
  Cluster cluster(*system.service);
  cluster.StartAll([&](HostOptions& options) {
    options.agent =
        snapshot::Address{.path = absl::StrCat(directory, "/", options.node.value(), ".sock")};
    options.faults.delay_max = std::chrono::microseconds(500);
  });
  snapshot::RpcClient::Options options;
  std::atomic<int> interesting = 0;
  options.interesting = [&interesting](NodeId) { ++interesting; };
  for (uint32_t n = 0; n < 3; ++n) {
    const auto address = snapshot::ParseAddress(cluster.host(n).agent_address());
    ASSERT_TRUE(address.ok()) << address.status();
    options.nodes.push_back({NodeId(n), *address});
  }
  auto client = snapshot::RpcClient::Start(std::move(options));
  ASSERT_TRUE(client.ok()) << client.status();
  for (const auto& info : (*client)->Infos(kHang)) {
    ASSERT_TRUE(info.ok()) << info.status();
    EXPECT_EQ(info->service, "test");
  }
  for (uint64_t number = 1; number <= 20; ++number) {
    for (uint32_t n = 0; n < 3; ++n) cluster.Ask(n, "call Propose");
    std::vector<std::shared_ptr<const snapshot::Checkpoint>> checkpoints;
    for (auto& reply : (*client)->Collect(number, kHang)) {
      ASSERT_TRUE(reply.checkpoint.ok()) << reply.checkpoint.status();
      if (number == 1) {
        EXPECT_GT(reply.bytes, 0u);
      }
      checkpoints.push_back(*reply.checkpoint);
    }
    const auto snapshot =
        snapshot::Assemble(*system.service, number, checkpoints, std::vector<std::string>(3));
    ASSERT_TRUE(snapshot.ok()) << snapshot.status();
    EXPECT_TRUE(snapshot->absent.empty());
  }
  for (const auto& counters : (*client)->Counters(kHang)) {
    ASSERT_TRUE(counters.ok()) << counters.status();
    EXPECT_GE(counters->checkpoints, 20u);
    EXPECT_GT(counters->events, 20u);
    EXPECT_GT(counters->checkpoint_nanos, 0u);
    EXPECT_GT(counters->checkpoint_bytes, 0u);
  }
  EXPECT_TRUE(cluster.Await(0, "state", "chosen"));
  const auto end = std::chrono::steady_clock::now() + kHang;
  while (interesting == 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_GT(interesting, 0);
  *client = nullptr;
  for (uint32_t n = 0; n < 3; ++n) EXPECT_TRUE(cluster.Stop(n).ok());
  std::filesystem::remove_all(directory);
}

TEST(HostTest, FiltersAndSafetyCutsComeThroughTheEndpoint) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  std::promise<absl::Status> set;
  cluster.host(0).endpoint().SetFilters(1,
                                        {{.decision = "d7",
                                          .invariant = "one-lock",
                                          .kind = snapshot::FilterKind::kRefuse,
                                          .node = NodeId(0),
                                          .event = {model::EventKind::kAction, NodeId(0),
                                                    model::Encode(Relay::Action(Relay::Lock{}))},
                                          .lease = std::chrono::hours(1)}},
                                        [&set](absl::Status status) { set.set_value(status); });
  EXPECT_TRUE(set.get_future().get().ok());
  EXPECT_THAT(cluster.Ask(0, "call Lock"), StartsWith("refused d7 "));
  std::promise<absl::Status> cut;
  cluster.host(0).endpoint().SetSafetyCut(1, {},
                                          [&cut](absl::Status status) { cut.set_value(status); });
  EXPECT_TRUE(cut.get_future().get().ok());
}

TEST(HostTest, RequestsBeyondTheLimitAreRefused) {
  const auto service = MakeRelay({});
  HostOptions options;
  options.now = [] { return std::chrono::steady_clock::now(); };
  auto host = Host::Open(*service, options);
  ASSERT_TRUE(host.ok()) << host.status();
  // Its loop does not run, as if it were stuck.
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    (*host)->endpoint().RequestCheckpoint(1, [&refused](const auto& checkpoint) {
      refused += absl::IsResourceExhausted(checkpoint.status()) ? 1 : 0;
    });
  }
  EXPECT_EQ(refused, 44);
}

TEST(HostTest, SaysWhyItCannotOpen) {
  const auto service = MakeRelay({});
  HostOptions good;
  good.now = [] { return std::chrono::steady_clock::now(); };
  HostOptions bad = good;
  bad.node = NodeId(3);
  EXPECT_THAT(std::string(Host::Open(*service, bad).status().message()),
              HasSubstr("no node 3 among 3"));
  bad = good;
  bad.listen = "nowhere";
  EXPECT_THAT(std::string(Host::Open(*service, bad).status().message()), HasSubstr("\"nowhere\""));
  bad = good;
  bad.start = "?";
  EXPECT_FALSE(Host::Open(*service, bad).ok());
  bad = good;
  bad.peers = {"127.0.0.1:1"};
  EXPECT_FALSE(Host::Open(*service, bad).ok());
}

}  // namespace
}  // namespace foretell::integration::sdk
