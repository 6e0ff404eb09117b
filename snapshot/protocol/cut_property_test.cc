#include <gtest/gtest.h>

#include <algorithm>

#include "foretell/model/typed/service.h"
#include "foretell/snapshot/protocol/cut_assembly.h"
#include "foretell/snapshot/testing/cut_judge.h"
#include "foretell/snapshot/testing/gossip.h"
#include "foretell/snapshot/testing/simulated_cluster.h"

namespace foretell::snapshot {
namespace {

using Weather = SimulatedCluster::Weather;

// What the runs of a test came to, so that a test can say that it saw something.
struct Tally {
  int whole = 0;   // Cuts with all nodes,
  int exact = 0;   // ... of which that many are exact.
  int partly = 0;  // Cuts with absent nodes,
  int gaps = 0;    // ... of which some had answered in that many.
  int nobody = 0;
  int in_flight = 0;
};

void RunSeed(model::NetworkKind kind, const Weather& weather, int steps, uint64_t seed,
             Tally& tally) {
  const auto service =
      model::MakeService(Gossip{.nodes = 2 + static_cast<uint32_t>(seed % 4), .kind = kind});
  SimulatedCluster cluster(*service, weather, seed);
  cluster.Run(steps);
  const CutJudge judge(*service, cluster);
  ASSERT_EQ(judge.WrongReceipt(), "") << "seed " << seed;
  for (const Collection& collection : cluster.collections()) {
    const auto snapshot =
        Assemble(*service, collection.number, collection.checkpoints, collection.reasons);
    if (snapshot.status().code() == absl::StatusCode::kUnavailable) {
      ++tally.nobody;
      continue;
    }
    ASSERT_TRUE(snapshot.ok()) << "seed " << seed << ", number " << collection.number << ": "
                               << snapshot.status();
    ASSERT_EQ(judge.Complaint(collection, *snapshot), "")
        << "seed " << seed << ", number " << collection.number;
    ++(snapshot->absent.empty() ? tally.whole : tally.partly);
    if (snapshot->exact) ++tally.exact;
    const auto answers =
        std::count_if(collection.checkpoints.begin(), collection.checkpoints.end(),
                      [](const auto& checkpoint) { return checkpoint != nullptr; });
    const size_t used = snapshot->cut.nodes.size() - snapshot->absent.size();
    if (static_cast<size_t>(answers) > used) ++tally.gaps;
    tally.in_flight += static_cast<int>(snapshot->cut.in_flight.size());
  }
}

Tally RunSeeds(model::NetworkKind kind, const Weather& weather, int steps, uint64_t first,
               uint64_t count) {
  Tally tally;
  for (uint64_t seed = first; seed < first + count && !testing::Test::HasFatalFailure(); ++seed) {
    RunSeed(kind, weather, steps, seed, tally);
  }
  return tally;
}

constexpr auto kDatagrams = model::NetworkKind::kDatagrams;
constexpr auto kStreams = model::NetworkKind::kStreams;

// Short runs without faults: everything is remembered, so every whole cut is exact.
TEST(CutPropertyTest, CalmDatagrams) {
  const Tally tally = RunSeeds(kDatagrams, {}, 150, 1, 600);
  EXPECT_EQ(tally.exact, tally.whole);
  EXPECT_GT(tally.whole, 600);
  EXPECT_GT(tally.partly, 100);
  EXPECT_GT(tally.in_flight, 1000);
}

TEST(CutPropertyTest, CalmStreams) {
  const Tally tally = RunSeeds(kStreams, {}, 150, 1001, 600);
  EXPECT_EQ(tally.exact, tally.whole);
  EXPECT_GT(tally.whole, 600);
  EXPECT_GT(tally.in_flight, 1000);
}

TEST(CutPropertyTest, LostAndDuplicatedDatagrams) {
  const Tally tally = RunSeeds(kDatagrams, {.losses = true}, 150, 2001, 600);
  EXPECT_EQ(tally.exact, tally.whole);
  EXPECT_GT(tally.whole, 600);
}

// Far more is sent than a window holds.
TEST(CutPropertyTest, FloodsOfDatagrams) {
  const Tally tally = RunSeeds(kDatagrams, {.losses = true, .burst_max = 40}, 400, 3001, 150);
  EXPECT_GT(tally.exact, 50);
  EXPECT_LT(tally.exact, tally.whole);
}

TEST(CutPropertyTest, FloodsOnStreams) {
  const Tally tally = RunSeeds(kStreams, {.breaks = true, .burst_max = 200}, 400, 4001, 60);
  EXPECT_GT(tally.exact, 20);
  EXPECT_EQ(tally.exact, tally.whole);
  EXPECT_GT(tally.gaps, 50);
}

TEST(CutPropertyTest, CrashesOnDatagrams) {
  const Tally tally =
      RunSeeds(kDatagrams, {.crashes = true, .losses = true, .count_max = 3}, 250, 5001, 600);
  EXPECT_GT(tally.exact, 300);
  EXPECT_LT(tally.exact, tally.whole);
  EXPECT_GT(tally.partly, 600);
}

TEST(CutPropertyTest, CrashesWithAnnouncements) {
  const Tally tally =
      RunSeeds(kDatagrams, {.crashes = true, .losses = true, .announces = true}, 250, 6001, 600);
  EXPECT_GT(tally.exact, 300);
  EXPECT_LT(tally.exact, tally.whole);
}

TEST(CutPropertyTest, BrokenStreams) {
  const Tally tally = RunSeeds(kStreams, {.breaks = true, .count_max = 2}, 200, 7001, 600);
  EXPECT_GT(tally.exact, 300);
  EXPECT_EQ(tally.exact, tally.whole);
  EXPECT_GT(tally.gaps, 50);
}

TEST(CutPropertyTest, BrokenStreamsAndCrashes) {
  const Tally tally =
      RunSeeds(kStreams, {.crashes = true, .breaks = true, .announces = true}, 250, 8001, 600);
  EXPECT_GT(tally.exact, 100);
  EXPECT_EQ(tally.exact, tally.whole);
  EXPECT_GT(tally.gaps, 50);
}

}  // namespace
}  // namespace foretell::snapshot
