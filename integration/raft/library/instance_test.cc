#include "foretell/integration/raft/library/instance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "foretell/integration/raft/testing/random_walk.h"

namespace foretell::integration::raft {
namespace {

using model::NodeId;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::shared_ptr<const Library> LoadOrDie(Settings settings = {}) {
  auto library = Library::Load(settings);
  FORETELL_CHECK(library.ok());
  return *library;
}

class InstanceTest : public ::testing::Test {
 protected:
  Instance Make(uint32_t node, State state) {
    return Instance(library_, NodeId(node), std::move(state), Instance::Memory::kHeap);
  }
  Instance Booted(uint32_t node) {
    Instance instance = Make(node, Boot({}));
    Effects effects;
    instance.Start(0, effects);
    EXPECT_EQ(effects.failure, "");
    return instance;
  }
  // Node 0 leads in term 2 with the vote of node 1.
  Instance Leader() {
    Instance leader = Booted(0);
    Effects effects;
    leader.TimeOut(effects);
    leader.Deliver(NodeId(1), RequestVoteResult{2, true, Tribool::kFalse}, effects);
    EXPECT_EQ(leader.state().role, Role::kLeader);
    return leader;
  }

  std::shared_ptr<const Library> library_ = LoadOrDie();
};

const Entry kPut = {2, EntryType::kCommand, "put x 1"};

TEST_F(InstanceTest, BootsAsAFollowerWithOneCommittedEntry) {
  const State state = Booted(0).state();
  EXPECT_EQ(state.role, Role::kFollower);
  EXPECT_EQ(state.term, 1u);
  EXPECT_EQ(state.commit, 1u);
  EXPECT_EQ(state.applied, 1u);
  EXPECT_EQ(state.stored, 1u);
  EXPECT_EQ(state.log, std::vector<Entry>{FirstEntry()});
  EXPECT_EQ(state.machine.size(), 1u);
}

TEST_F(InstanceTest, AsksForVotesWhenItsTimeIsUp) {
  Instance instance = Booted(0);
  Effects effects;
  instance.TimeOut(effects);
  EXPECT_EQ(instance.state().role, Role::kCandidate);
  EXPECT_EQ(instance.state().term, 2u);
  EXPECT_EQ(instance.state().vote, NodeId(0));
  EXPECT_EQ(instance.state().votes, std::set<NodeId>{NodeId(0)});
  ASSERT_THAT(effects.sends, SizeIs(2));
  EXPECT_EQ(std::get<RequestVote>(effects.sends[0].second).term, 2u);
}

TEST_F(InstanceTest, CommitsWhatAMajorityHasStored) {
  Instance leader = Leader();
  Effects effects;
  leader.Deliver(NodeId(1), AppendEntriesResult{2, 0, 1}, effects);
  leader.Apply("put x 1", effects);
  ASSERT_THAT(leader.state().pending, SizeIs(1));
  EXPECT_EQ(leader.state().requests, std::vector<uint64_t>{2});
  EXPECT_EQ(std::get<AppendEntries>(effects.sends.back().second).entries, std::vector<Entry>{kPut});
  leader.FinishWrite(true, effects);
  EXPECT_EQ(leader.state().commit, 1u);
  leader.Deliver(NodeId(1), AppendEntriesResult{2, 0, 2}, effects);
  EXPECT_EQ(leader.state().commit, 2u);
  EXPECT_EQ(leader.state().applied, 2u);
  EXPECT_EQ(leader.state().machine, (Copy{2, {}}));
  EXPECT_TRUE(leader.state().requests.empty());
  EXPECT_EQ(effects.failure, "");
}

TEST_F(InstanceTest, AFollowerAnswersWhenTheDiskHas) {
  Instance follower = Booted(1);
  Effects effects;
  follower.Deliver(NodeId(0), AppendEntries{2, 1, 1, 1, {kPut}}, effects);
  EXPECT_TRUE(effects.sends.empty());
  EXPECT_EQ(follower.state().stored, 1u);
  EXPECT_EQ(follower.state().disk, (Copy{1, {}}));
  follower.FinishWrite(true, effects);
  EXPECT_EQ(follower.state().stored, 2u);
  EXPECT_EQ(follower.state().disk, (Copy{2, {}}));
  ASSERT_THAT(effects.sends, SizeIs(1));
  EXPECT_EQ(std::get<AppendEntriesResult>(effects.sends[0].second).last_log_index, 2u);
}

TEST_F(InstanceTest, ATruncationWaitsBehindTheAppendBeforeIt) {
  Instance follower = Booted(1);
  Effects effects;
  follower.Deliver(NodeId(0), AppendEntries{2, 1, 1, 1, {kPut}}, effects);
  const Entry other = {3, EntryType::kCommand, "put x 2"};
  follower.Deliver(NodeId(2), AppendEntries{3, 1, 1, 1, {other}}, effects);
  ASSERT_THAT(follower.state().pending, SizeIs(3));
  EXPECT_EQ(follower.state().pending[1].kind, Operation::Kind::kTruncate);
  follower.FinishWrite(true, effects);
  EXPECT_EQ(follower.state().disk, (Copy{1, {kPut}}));
  EXPECT_TRUE(effects.sends.empty()) << "nothing of it is in the log any more";
  follower.FinishWrite(true, effects);
  EXPECT_EQ(follower.state().disk, (Copy{1, {}}));
  follower.FinishWrite(true, effects);
  EXPECT_EQ(follower.state().disk, (Copy{2, {}}));
  EXPECT_THAT(effects.sends, SizeIs(1));
}

TEST_F(InstanceTest, RestartsFromWhatReachedTheDisk) {
  Instance follower = Booted(1);
  Effects effects;
  follower.Deliver(NodeId(0), AppendEntries{2, 1, 1, 1, {kPut}}, effects);
  for (size_t written : {0u, 1u}) {
    Instance restarted = Make(1, Stopped(follower.state()));
    restarted.Start(written, effects);
    EXPECT_EQ(restarted.state().log.size(), 1 + written);
    EXPECT_EQ(restarted.state().stored, 1 + written);
    EXPECT_EQ(restarted.state().commit, 1u);
    EXPECT_EQ(restarted.state().term, 2u);
    EXPECT_TRUE(restarted.state().pending.empty());
  }
}

TEST_F(InstanceTest, GivesUpWhenItsTermCannotBeWritten) {
  Instance instance = Booted(0);
  Effects effects;
  effects.disk_fails = [] { return true; };
  instance.TimeOut(effects);
  EXPECT_EQ(instance.state().role, Role::kStopped);
  EXPECT_EQ(instance.state().term, 1u);
  EXPECT_TRUE(effects.sends.empty());
}

TEST_F(InstanceTest, SaysWhenTheElectionTimerStartsAfresh) {
  Instance follower = Booted(1);
  Effects heartbeat;
  follower.Deliver(NodeId(0), AppendEntries{2, 1, 1, 1, {}}, heartbeat);
  EXPECT_TRUE(heartbeat.election_timer_restarted);
  Effects stale;
  follower.Deliver(NodeId(2), AppendEntries{1, 1, 1, 1, {}}, stale);
  EXPECT_FALSE(stale.election_timer_restarted);
}

TEST_F(InstanceTest, AWholeTailIsReportedUnlessItIsVerified) {
  State state = Booted(0).state();
  state.term = 3;
  state.log.push_back(kPut);
  state.disk.shared = state.stored = 2;
  const AppendEntries empty{3, 1, 1, 1, {}};
  for (const bool verified : {false, true}) {
    library_ = LoadOrDie({.verified_tail = verified});
    Instance follower = Make(0, state);
    Effects effects;
    follower.Deliver(NodeId(1), empty, effects);
    ASSERT_THAT(effects.sends, SizeIs(1));
    EXPECT_EQ(std::get<AppendEntriesResult>(effects.sends[0].second).last_log_index,
              verified ? 1u : 2u);
  }
}

TEST_F(InstanceTest, TheLibraryIsStoppedBeforeItWritesOutsideOfItsLog) {
  Instance leader = Leader();
  Effects effects;
  leader.Apply("put x 1", effects);
  leader.Apply("put x 2", effects);
  leader.FinishWrite(false, effects);
  EXPECT_EQ(effects.failure, "");
  EXPECT_EQ(leader.state().log.size(), 1u);
  leader.FinishWrite(false, effects);
  EXPECT_THAT(effects.failure, HasSubstr("cuts its log off at 3, though it ends at 1"));
}

TEST_F(InstanceTest, TwoLeadersOfATermDoNotSpeakToEachOther) {
  Instance leader = Leader();
  Effects effects;
  leader.Deliver(NodeId(1), AppendEntries{2, 1, 1, 1, {}}, effects);
  EXPECT_THAT(effects.failure, HasSubstr("another leader of that term"));
}

// The same events at nodes that are built anew for each, and at nodes that live long.
void ExpectLongLivedEqualsRebuilt(const testing::WalkOptions& options, uint32_t seed) {
  const model::System system = testing::MakeCluster(options);
  const model::Service& service = *system.service;
  std::map<uint32_t, std::unique_ptr<model::LiveNode>> nodes;
  for (uint32_t n = 0; n < 3; ++n) {
    nodes[n] = service.MakeLive(NodeId(n), system.start.nodes[n].body);
  }
  testing::Walk(system, seed, 150, [&](const model::SystemCut& at, const model::PathStep& step) {
    model::LiveNode& live = *nodes[step.node.value()];
    const std::string before = at.nodes[step.node.index()].body;
    ASSERT_TRUE(service.ValidState(before));
    ASSERT_EQ(live.Encode(), before) << "seed " << seed;
    size_t choice = 0;
    const auto draw = [&](uint32_t) {
      return choice < step.choices.size() ? step.choices[choice++] : 0u;
    };
    const model::HandlerResult lived = live.Handle(step.event, draw);
    const model::HandlerResult rebuilt =
        service.Run(step.node, before, {&step.event, 1}, step.choices);
    EXPECT_EQ(lived.sends, rebuilt.sends) << "seed " << seed;
    EXPECT_EQ(lived.failure, rebuilt.failure) << "seed " << seed;
    EXPECT_EQ(lived.restarted, rebuilt.restarted) << "seed " << seed;
  });
}

TEST(InstanceWalkTest, ALongLivedNodeIsARebuiltOne) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    ExpectLongLivedEqualsRebuilt(testing::Everything(0), seed);
    ExpectLongLivedEqualsRebuilt(testing::Everything(0, /*pre_vote=*/true), seed);
  }
}

TEST(InstanceWalkTest, ALongLivedNodeWithABadDiskIsARebuiltOne) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    ExpectLongLivedEqualsRebuilt(testing::Everything(2), seed);
    ExpectLongLivedEqualsRebuilt(testing::Everything(2, /*pre_vote=*/true), seed);
  }
}

}  // namespace
}  // namespace foretell::integration::raft
