#include "foretell/integration/sdk/net/transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_cat.h"
#include "foretell/integration/sdk/net/host_port.h"
#include "foretell/integration/sdk/net/tcp_transport.h"
#include "foretell/integration/sdk/testing/cluster.h"
#include "foretell/integration/sdk/testing/relay.h"
#include "foretell/integration/sdk/testing/socket.h"

namespace foretell::integration::sdk {
namespace {

using model::NodeId;
using testing::Cluster;
using ::testing::HasSubstr;
using testing::MakeRelay;
using testing::Relay;
using testing::Socket;

const uint64_t kCluster = ClusterId("test", "", "", 3);

std::string Forged(uint32_t from, uint64_t seq) {
  std::string bytes;
  const std::string body = model::Encode(Relay::Message{1, ""});
  AppendEnvelope({EnvelopeKind::kMessage,
                  NodeId(from),
                  NodeId(0),
                  {.checkpoint = 0, .epoch = snapshot::FirstEpoch(9), .seq = seq},
                  body},
                 kCluster, bytes);
  return bytes;
}

std::string Framed(const std::string& bytes) {
  std::string frame;
  for (int i = 0; i < 4; ++i) frame.push_back(static_cast<char>(bytes.size() >> (8 * i)));
  return frame + bytes;
}

TEST(TransportTest, DatagramsOfStrangersAreCountedAndDropped) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  Socket stranger(SOCK_DGRAM, cluster.host(0).listen_address());
  stranger.Send("garbage");
  stranger.Send(Forged(1, 1));  // Not from where node 1 is.
  stranger.Send(Forged(7, 1));
  EXPECT_TRUE(cluster.Await(0, "stats", "\nunknown-sender 2\n"));
  EXPECT_TRUE(cluster.Await(0, "stats", "\ngarbage 1\n"));
  cluster.Ask(1, "call Say");
  EXPECT_TRUE(cluster.Await(0, "state", "count = 1\n"));
}

TEST(TransportTest, SurvivesRandomDatagrams) {
  const auto service = MakeRelay({});
  Cluster cluster(*service);
  cluster.StartAll();
  Socket stranger(SOCK_DGRAM, cluster.host(0).listen_address());
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = Forged(1, 1);
    bytes[random() % bytes.size()] ^= static_cast<char>(random());
    stranger.Send(bytes.substr(0, 1 + random() % bytes.size()));
  }
  cluster.Ask(0, "call Say");
  EXPECT_TRUE(cluster.Await(0, "state", "count = 1\n"));
}

TEST(TransportTest, StreamsOfStrangersAreClosed) {
  const auto service = MakeRelay({.streams = true});
  Cluster cluster(*service);
  cluster.StartAll();
  for (const std::string& bytes :
       {std::string(100, '\xff'), Framed("garbage"), Framed(Forged(7, 1)), Framed("")}) {
    Socket stranger(SOCK_STREAM, cluster.host(0).listen_address());
    stranger.Send(bytes);
    EXPECT_EQ(stranger.Line(), "closed");
  }
  EXPECT_THAT(cluster.Ask(0, "stats"), HasSubstr("\ngarbage 3\n"));
  EXPECT_THAT(cluster.Ask(0, "stats"), HasSubstr("\nstreams-broken 0\n"));
  cluster.Ask(1, "call Say");
  EXPECT_TRUE(cluster.Await(0, "state", "count = 1\n"));
}

// Nobody accepts at node 1, so what is sent there waits until it is too much.
TEST(TransportTest, AQueueThatOverflowsResetsTheStream) {
  const auto service = MakeRelay({.streams = true});
  Cluster cluster(*service);
  cluster.Start(0);
  cluster.Connect();
  const size_t shouts = kStreamQueueMax / 70000 + 2;
  for (size_t i = 0; i < shouts; ++i) cluster.Ask(0, "call Shout");
  EXPECT_TRUE(cluster.Await(0, "stats", "\nqueue-overflows 2\n"));
  EXPECT_TRUE(cluster.Await(0, "stats", "\nstreams-lost 2\n"));
}

TEST(HostPortTest, ReadsNumericAddresses) {
  EXPECT_EQ(ToString(*ParseNumericHostPort("127.0.0.1:7000")), "127.0.0.1:7000");
  EXPECT_EQ(ToString(*ParseNumericHostPort("localhost:0")), "127.0.0.1:0");
  EXPECT_EQ(ToString(*ParseNumericHostPort("[::1]:65535")), "[::1]:65535");
  for (const char* bad :
       {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "somewhere:80", "::1:80",
        "[::1:80", "[::g]:80", "127.0.0.1:80x", ":80"}) {
    const auto address = ParseNumericHostPort(bad);
    ASSERT_FALSE(address.ok()) << bad;
    EXPECT_THAT(std::string(address.status().message()),
                HasSubstr(absl::StrCat("address \"", bad, "\": expected ")));
  }
}

}  // namespace
}  // namespace foretell::integration::sdk
