#include "foretell/integration/raft/values/state.h"

#include <gtest/gtest.h>

#include <random>

namespace foretell::integration::raft {
namespace {

Entry Command(uint64_t term) { return {term, EntryType::kCommand, "put x 1"}; }

// A copy and a plain sequence take the same changes, and always say the same.
TEST(CopyTest, IsTheSequenceThatItStandsFor) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    std::vector<Entry> log = {FirstEntry()};
    std::vector<Entry> plain = log;
    Copy copy{1, {}};
    for (int i = 0; i < 60; ++i) {
      const Entry entry = Command(1 + random() % 2);
      const size_t at = 2 + random() % 4;
      switch (random() % 4) {
        case 0:
          copy.Append(log, entry);
          plain.push_back(entry);
          break;
        case 1:
          copy.Truncate(at);
          plain.resize(std::min(plain.size(), at - 1));
          break;
        case 2:
          if (at > log.size()) break;
          copy.LogLoses(log, at);
          log.resize(at - 1);
          break;
        default: log.push_back(entry); copy.LogGrew(log);
      }
      ASSERT_EQ(copy.Expand(log), plain) << "seed " << seed;
      const bool more_is_shared =
          !copy.rest.empty() && copy.shared < log.size() && copy.rest[0] == log[copy.shared];
      ASSERT_FALSE(more_is_shared) << "seed " << seed;
    }
  }
}

TEST(StateTest, ACrashLeavesTheDiskAndWhatWasOnItsWay) {
  State state = Boot({.timeouts = 1});
  state.role = Role::kLeader;
  state.led = 1;
  state.log.push_back(Command(1));
  state.commit = state.applied = state.stored = 1;
  state.pending.push_back(
      {.kind = Operation::Kind::kLeaderAppend, .index = 2, .entries = {state.log[1]}});
  const State stopped = Stopped(state);
  EXPECT_EQ(stopped.role, Role::kStopped);
  EXPECT_EQ(stopped.log, std::vector<Entry>{FirstEntry()});
  EXPECT_EQ(stopped.pending, state.pending);
  EXPECT_EQ(stopped.commit, 0u);
  EXPECT_EQ(stopped.led, 1u);
  EXPECT_EQ(stopped.budget, state.budget);
}

TEST(StateTest, AnAppendThatLeavesAHoleCannotComplete) {
  State state = Boot({});
  state.pending.push_back(
      {.kind = Operation::Kind::kLeaderAppend, .index = 3, .entries = {Command(1)}});
  EXPECT_FALSE(CanComplete(state));
  state.pending[0].index = 2;
  EXPECT_TRUE(CanComplete(state));
  Complete(state);
  EXPECT_EQ(state.disk.size(), 2u);
  EXPECT_TRUE(state.pending.empty());
}

}  // namespace
}  // namespace foretell::integration::raft
