#include "foretell/integration/raft/judge/judge.h"

#include <utility>

#include "foretell/integration/raft/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/fields.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace foretell::integration::raft {
namespace {

using model::EventKind;
using testing::HasSubstr;
using testing::StartsWith;

Happening Does(unsigned server, Action action) {
  return {.kind = EventKind::kAction, .server = server, .action = std::move(action)};
}

Happening Receives(unsigned server, unsigned from, Message message) {
  return {
      .kind = EventKind::kDeliver, .server = server, .peer = from, .message = std::move(message)};
}

Happening Is(unsigned server, EventKind kind) { return {.kind = kind, .server = server}; }

// Server 1 is elected by server 2 in term 2 and stores x, which nobody hears of. Server 2 is
// elected by server 3 in term 3; its first, empty AppendEntries reaches server 1. Meanwhile it
// stores y, and then hears that server 1 has two entries.
Schedule KnownViolation(const std::string& key = "k", const std::string& x = "x",
                        const std::string& y = "y") {
  return {
      Does(0, ElectionTimeout{}),
      Receives(1, 0, RequestVote{2, 1, 1}),
      Receives(0, 1, RequestVoteResult{2, true, Tribool::kFalse}),
      Does(0, Put{key, x}),
      Does(0, DiskDone{}),
      Does(1, ElectionTimeout{}),
      Receives(2, 1, RequestVote{3, 1, 1}),
      Receives(1, 2, RequestVoteResult{3, true, Tribool::kFalse}),
      Receives(0, 1, AppendEntries{3, 1, 1, 1, {}}),
      Does(1, Put{key, y}),
      Does(1, DiskDone{}),
      Receives(1, 0, AppendEntriesResult{3, 0, 2}),
  };
}

std::string Opinion(Schedule schedule, const std::string& invariant) {
  return Text(Judge(3, std::move(schedule), invariant));
}

TEST(JudgeTest, ConfirmsTheKnownViolation) {
  EXPECT_EQ(Opinion(KnownViolation(), "committed-on-a-majority"),
            "confirmed: server 2 counts index 2 as committed, which of 3 disks only 1 holds "
            "(server 2)");
  EXPECT_THAT(Opinion(KnownViolation(), "match-is-held"),
              HasSubstr("server 2, leader of term 3, counts server 1 for index 2"));
  EXPECT_THAT(Opinion(KnownViolation(), "election-safety"), StartsWith("not confirmed: all 12"));
}

model::Path PathOf(const Schedule& schedule) {
  model::Path path;
  for (const Happening& happening : schedule) {
    const bool delivers = happening.kind == EventKind::kDeliver;
    path.push_back({model::NodeId(happening.server),
                    {happening.kind, model::NodeId(happening.peer),
                     delivers ? model::Encode(happening.message) : model::Encode(happening.action)},
                    {}});
  }
  return path;
}

// The same events lead our service to the same violation, and the family asks the judge.
TEST(JudgeTest, TheFamilyHasASecondOpinion) {
  const Family family;
  const absl::StatusOr<model::System> system = family.Make("two-elections", "");
  ASSERT_TRUE(system.ok()) << system.status();
  const absl::StatusOr<model::Violation> violation =
      model::Confirm(*system->service, system->start, "committed-on-a-majority",
                     PathOf(KnownViolation("x", "0.1", "1.1")));
  ASSERT_TRUE(violation.ok()) << violation.status();
  EXPECT_THAT(family.SecondOpinion("two-elections", "", *violation),
              testing::Optional(StartsWith("confirmed: server 2 counts index 2 as committed")));
  // The simulator has no wrapper: what it follows happens without, of the rest it says nothing.
  EXPECT_THAT(family.SecondOpinion("verified-tail", "", *violation),
              testing::Optional(StartsWith("confirmed: ")));
  model::Violation unfinished = *violation;
  unfinished.path.pop_back();
  EXPECT_THAT(family.SecondOpinion("verified-tail", "", unfinished),
              testing::Optional(StartsWith("cannot be expressed: ")));
}

TEST(JudgeTest, DoesNotConfirmWithoutTheDecisiveStep) {
  Schedule without_answer = KnownViolation();
  without_answer.pop_back();
  EXPECT_EQ(Opinion(without_answer, "committed-on-a-majority"),
            "not confirmed: all 11 steps happen, but committed-on-a-majority holds");
  Schedule without_heartbeat = KnownViolation();
  without_heartbeat.erase(without_heartbeat.begin() + 8);
  EXPECT_EQ(Opinion(without_heartbeat, "committed-on-a-majority"),
            "not confirmed: step 11, server 2 receives AppendEntriesResult(term=3, rejected=0, "
            "last_log_index=2) from server 1: no server of the fixture has sent that");
}

TEST(JudgeTest, SaysWhatItCannotPlay) {
  Schedule failing = KnownViolation();
  failing[1].failing = true;
  EXPECT_THAT(Opinion(failing, "committed-on-a-majority"),
              StartsWith("cannot be expressed: step 2, server 2 receives RequestVote("));
  EXPECT_THAT(Opinion(KnownViolation(), "no-such-thing"), StartsWith("cannot be expressed: "));
}

TEST(JudgeTest, AWriteThatFailsIsNotStored) {
  Schedule schedule = KnownViolation();
  schedule.resize(5);
  schedule[4] = Does(0, DiskFail{});
  FixtureReplay replay(3, schedule);
  while (!replay.done()) {
    const absl::Status next = replay.Next();
    ASSERT_TRUE(next.ok()) << next;
  }
  EXPECT_EQ(replay.Look(0).disk.size(), 1u);
  ASSERT_EQ(replay.answers().size(), 1u);
  EXPECT_NE(replay.answers()[0].status, 0);
}

// What the violation means to a client: a write that was acknowledged is gone, and one that was
// refused has its place.
TEST(JudgeTest, AnAcknowledgedWriteIsLost) {
  Schedule schedule = KnownViolation();
  const Entry configuration{1, EntryType::kChange, ""};
  const Entry x{2, EntryType::kCommand, "put k x"};
  for (Happening& later : Schedule{
           Does(0, ElectionTimeout{}),
           Receives(2, 0, RequestVote{4, 2, 2}),
           Receives(0, 2, RequestVoteResult{4, true, Tribool::kFalse}),
           Receives(2, 0, AppendEntries{4, 2, 2, 1, {}}),
           Receives(0, 2, AppendEntriesResult{4, 2, 1}),
           Does(0, Heartbeat{}),
           Receives(2, 0, AppendEntries{4, 1, 1, 1, {x}}),
           Does(2, DiskDone{}),
           Receives(0, 2, AppendEntriesResult{4, 0, 2}),
       }) {
    schedule.push_back(std::move(later));
  }
  FixtureReplay replay(3, schedule);
  while (!replay.done()) {
    const absl::Status next = replay.Next();
    ASSERT_TRUE(next.ok()) << next;
  }
  ASSERT_EQ(replay.answers().size(), 2u);
  EXPECT_EQ(replay.answers()[0].command, "put k x");
  EXPECT_NE(replay.answers()[0].status, 0);
  EXPECT_EQ(replay.answers()[1].command, "put k y");
  EXPECT_EQ(replay.answers()[1].status, 0);
  const FixtureServer leader = replay.Look(0);
  EXPECT_EQ(leader.role, FixtureRole::kLeader);
  EXPECT_EQ(leader.term, 4u);
  EXPECT_EQ(leader.commit, 2u);
  EXPECT_EQ(leader.log, (std::vector<Entry>{configuration, x}));
  EXPECT_EQ(leader.commands, std::vector<std::string>{"put k x"});
  EXPECT_EQ(replay.Look(2).disk, leader.disk);
  EXPECT_EQ(replay.Look(1).commands, std::vector<std::string>{"put k y"});
  EXPECT_THAT(Opinion(schedule, "state-machine-safety"), StartsWith("confirmed: "));
  EXPECT_THAT(Opinion(schedule, "leader-completeness"), StartsWith("confirmed: "));
}

TEST(JudgeTest, ServersRestartFromTheSimulatedDisk) {
  Schedule schedule = KnownViolation();
  schedule.resize(5);
  schedule.push_back(Is(0, EventKind::kCrash));
  schedule.push_back(Is(0, EventKind::kRestart));
  schedule.push_back(Does(0, ElectionTimeout{}));
  schedule.push_back(Receives(2, 0, RequestVote{3, 2, 2}));
  schedule.push_back(Receives(0, 2, RequestVoteResult{3, true, Tribool::kFalse}));
  FixtureReplay replay(3, schedule);
  while (!replay.done()) {
    const absl::Status next = replay.Next();
    ASSERT_TRUE(next.ok()) << next;
    if (replay.at() == 7) {
      EXPECT_EQ(replay.Look(0).role, FixtureRole::kFollower);
      EXPECT_EQ(replay.Look(0).vote, 1u);
      EXPECT_EQ(replay.Look(0).log.size(), 2u);
    }
  }
  EXPECT_EQ(replay.Look(0).role, FixtureRole::kLeader);
  EXPECT_EQ(replay.Look(0).term, 3u);
}

TEST(JudgeTest, ACrashTakesWhatIsNotOnDisk) {
  for (const size_t written : {0u, 1u}) {
    Schedule schedule = KnownViolation();
    schedule.resize(4);
    schedule.push_back(Is(0, EventKind::kCrash));
    schedule.push_back({.kind = EventKind::kRestart, .server = 0, .written = written});
    FixtureReplay replay(3, schedule);
    while (!replay.done()) {
      const absl::Status next = replay.Next();
      ASSERT_TRUE(next.ok()) << next;
    }
    EXPECT_EQ(replay.Look(0).disk.size(), 1 + written);
    EXPECT_EQ(replay.Look(0).log.size(), 1 + written);
  }
}

}  // namespace
}  // namespace foretell::integration::raft
