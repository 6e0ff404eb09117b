#include <gtest/gtest.h>

#include <set>

#include "foretell/integration/philosophers/family.h"
#include "foretell/integration/philosophers/protocol.h"
#include "foretell/integration/testing/naive_bfs.h"
#include "foretell/integration/testing/trace_count.h"
#include "foretell/model/plain/script.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration::philosophers {
namespace {

using model::Act;
using model::Deliver;
using model::NodeId;
using model::ScriptStep;
using testing::BfsResult;
using testing::MakeOrDie;
using testing::NaiveBfs;
using testing::TraceCount;

using Groups = std::vector<std::vector<NodeId>>;

TEST(PhilosophersTest, NeighboursNeverEatTogether) {
  const BfsResult result = NaiveBfs(MakeOrDie(Family(), "ring-3")).Run(100'000);
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.violations.empty());
  EXPECT_EQ(result.states, 967u);
}

// Two are hungry, ask for two forks each and are granted all four, one of them to both.
TEST(PhilosophersTest, AGreedyForkFeedsNeighbours) {
  const model::System system = MakeOrDie(Family(), "ring-3", "greedy-fork");
  BfsResult result = NaiveBfs(system).Run(100'000);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.violations.size(), 1u);
  EXPECT_EQ(result.violations["one-fork-one-eater"].size(), 14u);
}

// Who comes first at each fork: 2^n - 2 and the deadlock. The second to come asks before the first
// is granted the fork, before it is returned, or later; in the deadlock never later.
TEST(PhilosophersTest, HasTheExpectedNumberOfExecutions) {
  uint64_t two = 2;
  uint64_t three = 3;
  for (uint32_t count = 2; count <= 4; ++count) {
    two *= 2;
    three *= 3;
    EXPECT_EQ(TraceCount(MakeRing(count)).Run(), (two - 1) * (three - two)) << count;
  }
}

TEST(PhilosophersTest, AllWithTheirLeftForkAreStuck) {
  const model::System system = MakeRing(3);
  std::vector<ScriptStep> script;
  for (const uint32_t philosopher : {0u, 2u, 4u}) {
    const uint32_t left = philosopher + 1;
    script.insert(script.end(), {Act(philosopher), Deliver(philosopher, left), Act(left),
                                 Deliver(left, philosopher)});
  }
  for (const uint32_t philosopher : {0u, 2u, 4u}) {
    script.push_back(Deliver(philosopher, (philosopher + 3) % 6));
  }
  const auto cut = Play(*system.service, script);
  ASSERT_TRUE(cut.ok()) << cut.status();
  EXPECT_TRUE(model::PlainSystem(*system.service, *cut).Enabled().empty());
}

// Node 0 holds its left fork, which is the right one of node 4.
TEST(PhilosophersTest, ReturnAndRequestCommuteAtAFork) {
  const model::System system = MakeRing(3);
  const NodeId fork(1);
  const auto run = [&](const std::string& state, const model::Event& event) {
    const model::HandlerResult result = system.service->Run(fork, state, std::span(&event, 1), {});
    return std::pair(result.state, result.sends.size());
  };
  const auto arrives = [&](const std::string& state, uint32_t from,
                           const Protocol::Message& message) {
    return run(state, {model::EventKind::kDeliver, NodeId(from), model::Encode(message)});
  };
  const auto grant = [&](const std::string& state, uint32_t to) {
    const Protocol::Action action = Protocol::Grant{NodeId(to)};
    return run(state, {model::EventKind::kAction, NodeId(0), model::Encode(action)});
  };
  const auto asked = arrives(system.service->InitialState(fork), 0, Protocol::Take{});
  const auto held = grant(asked.first, 0);
  EXPECT_EQ(held.second, 1u);
  const auto returned = arrives(held.first, 0, Protocol::Return{});
  const auto queued = arrives(held.first, 4, Protocol::Take{});
  EXPECT_EQ(returned.second + queued.second, 0u);
  EXPECT_EQ(arrives(returned.first, 4, Protocol::Take{}),
            arrives(queued.first, 0, Protocol::Return{}));
  // And so do a grant and a request of the other.
  EXPECT_EQ(grant(arrives(asked.first, 4, Protocol::Take{}).first, 0).first, queued.first);
}

// How many forks have philosophers in two components.
size_t SharedForks(const Groups& groups, uint32_t count) {
  std::vector<size_t> group_of(2 * count);
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const NodeId node : groups[g]) group_of[node.index()] = g;
  }
  size_t shared = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t next = (i + 1) % count;
    shared += group_of[2 * i] != group_of[2 * next] ? 1 : 0;
  }
  return shared;
}

TEST(PhilosophersTest, ConsecutiveOnesShareFewForks) {
  EXPECT_EQ(SharedForks(Consecutive(16, 2), 16), 2u);
  EXPECT_EQ(SharedForks(Consecutive(24, 3), 24), 3u);
  EXPECT_EQ(SharedForks(Alternating(16, 2), 16), 16u);
  const Groups expected = {{NodeId(0), NodeId(1), NodeId(2), NodeId(3)},
                           {NodeId(4), NodeId(5), NodeId(6), NodeId(7)}};
  EXPECT_EQ(Consecutive(4, 2), expected);
}

TEST(PhilosophersTest, EveryNodeIsInOneGroup) {
  for (const Groups& groups : {Consecutive(24, 3), Alternating(24, 3), Alternating(16, 2)}) {
    std::set<NodeId> nodes;
    size_t sizes = 0;
    for (const auto& group : groups) {
      nodes.insert(group.begin(), group.end());
      sizes += group.size();
    }
    EXPECT_EQ(nodes.size(), sizes);
    EXPECT_EQ(nodes.rbegin()->value() + 1, sizes);
  }
}

}  // namespace
}  // namespace foretell::integration::philosophers
