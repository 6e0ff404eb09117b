// The overlays that stabilise for ever, as live nodes. Their time passes by command, and a test
// waits for what must come, however long that takes on this machine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "foretell/integration/catalog.h"
#include "foretell/integration/sdk/testing/cluster.h"
#include "foretell/model/family.h"

namespace foretell::integration::sdk {
namespace {

using testing::Cluster;
using ::testing::HasSubstr;
using testing::kHang;
using ::testing::StartsWith;

model::System Live(const std::string& service, const std::string& bug = "") {
  const model::Catalog catalog = BuiltinServices();
  const model::ServiceFamily* const family = model::FindFamily(catalog, service);
  return *family->Make(family->live_scenario(), bug);
}

void StartAndJoin(Cluster& cluster, uint32_t nodes) {
  cluster.StartAll([](HostOptions& options) { options.stepped = true; });
  for (uint32_t n = 0; n < nodes; ++n) {
    EXPECT_THAT(cluster.Ask(n, "call Join"), StartsWith("ok Join"));
    EXPECT_TRUE(cluster.Await(n, "state", "phase = member"));
  }
}

// Lets the timers fire until each node's state has the text wanted of it.
bool Settles(Cluster& cluster, const std::vector<std::string>& wanted) {
  const auto end = std::chrono::steady_clock::now() + kHang;
  for (uint64_t micros = 0; std::chrono::steady_clock::now() < end; micros += 1'000'000) {
    size_t reached = 0;
    for (uint32_t n = 0; n < wanted.size(); ++n) {
      cluster.Ask(n, "clock " + std::to_string(micros));
      reached += cluster.Ask(n, "state").find(wanted[n]) != std::string::npos ? 1 : 0;
    }
    if (reached == wanted.size()) return true;
    std::this_thread::yield();
  }
  return false;
}

TEST(LiveOverlaysTest, ChordBecomesARing) {
  const model::System system = Live("chord");
  Cluster cluster(*system.service);
  StartAndJoin(cluster, 3);
  EXPECT_TRUE(Settles(cluster, {"successor = 1\n", "successor = 2\n", "successor = 0\n"}));
}

// Nobody says so: streams break, and the two others close the ring.
TEST(LiveOverlaysTest, ChordClosesTheRingOverANodeThatEnds) {
  const model::System system = Live("chord");
  Cluster cluster(*system.service);
  StartAndJoin(cluster, 3);
  EXPECT_TRUE(Settles(cluster, {"successor = 1\n", "successor = 2\n", "successor = 0\n"}));
  EXPECT_TRUE(cluster.Stop(2).ok());
  EXPECT_TRUE(Settles(cluster, {"successor = 1\n", "successor = 0\n"}));
}

TEST(LiveOverlaysTest, ChordWithASelfLoopHasTwoThatLeadToTheFirstAndNoneThatItLeadsTo) {
  const model::System system = Live("chord", "self-loop");
  Cluster cluster(*system.service);
  StartAndJoin(cluster, 3);
  EXPECT_TRUE(Settles(cluster, {"predecessor = 2\n", "successor = 2\n", "successor = 0\n"}));
  EXPECT_THAT(cluster.Ask(0, "state"), HasSubstr("successor = 0\n"));
}

TEST(LiveOverlaysTest, PastryNodesGetToKnowEachOther) {
  const model::System system = Live("pastry");
  Cluster cluster(*system.service);
  StartAndJoin(cluster, 3);
  EXPECT_TRUE(Settles(cluster, {"leaves = {1 2}\n", "leaves = {0 2}\n", "leaves = {0 1}\n"}));
}

// Streams break, so that the others notice: the node is forgotten, and in again once it joins.
TEST(LiveOverlaysTest, APastryNodeJoinsAgain) {
  const model::System system = Live("pastry");
  Cluster cluster(*system.service);
  StartAndJoin(cluster, 3);
  EXPECT_TRUE(Settles(cluster, {"leaves = {1 2}\n", "leaves = {0 2}\n", "leaves = {0 1}\n"}));
  EXPECT_TRUE(cluster.Stop(2).ok());
  EXPECT_TRUE(Settles(cluster, {"leaves = {1}\n", "leaves = {0}\n"}));
  cluster.Start(2, [](HostOptions& options) {
    options.stepped = true;
    options.life = 2;
  });
  cluster.Connect();
  EXPECT_THAT(cluster.Ask(2, "call Join"), StartsWith("ok Join"));
  EXPECT_TRUE(Settles(cluster, {"leaves = {1 2}\n", "leaves = {0 2}\n", "leaves = {0 1}\n"}));
}

}  // namespace
}  // namespace foretell::integration::sdk
