// Two-phase commit under `enforce`, on real processes: it goes on committing, and no transaction is
// split.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/tests/live/commit_run.h"

namespace foretell::live {
namespace {

using testing::HasSubstr;

constexpr uint32_t kTransactions = 6;

// A crash of the coordinator would split any of them. Nobody has crashed, so it is told, and
// nothing is vetoed; not even where plans are made against whatever can be imagined, since a plan
// would have to stop every transaction.
TEST(LiveCommitTest, WhatTakesACrashThatNobodySawStopsNoTransaction) {
  for (const auto& [which, why] :
       {std::pair("likely", "it takes that node 0 crashes, which has not happened"),
        std::pair("always", "done each time, never again let commits come to hold")}) {
    SCOPED_TRACE(which);
    const CommitResult result =
        RunTransactions({.bug = "forgets-decision", .delay = "40ms..40ms"}, "enforce",
                        kTransactions, std::string("imagined_faults = \"") + which + "\"\n");
    EXPECT_EQ(result.committed, kTransactions);
    EXPECT_EQ(result.split, 0u);
    EXPECT_EQ(result.vetoed, 0u);
    EXPECT_GT(result.predicted, 0u);
    EXPECT_THAT(result.audit, HasSubstr("\"action\":\"no plan\""));
    EXPECT_THAT(result.audit, HasSubstr(why));
  }
}

// Participants that lose patience split transactions on a slow network, unless their timers wait.
TEST(LiveCommitTest, TransactionsCommitWhereSomeWouldBeSplit) {
  const CommitOptions slow{.bug = "impatient", .delay = "1ms..120ms"};
  const CommitResult watched = RunTransactions(slow, "observe", kTransactions);
  EXPECT_GT(watched.split, 0u);
  const CommitResult steered = RunTransactions(slow, "enforce", kTransactions);
  EXPECT_EQ(steered.split, 0u) << steered.audit;
  EXPECT_EQ(steered.committed, kTransactions);
  EXPECT_GT(steered.vetoed, 0u);
}

}  // namespace
}  // namespace foretell::live
