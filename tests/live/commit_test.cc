// Two-phase commit under `enforce`, on real processes: it goes on committing, and no transaction is
// split.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "foretell/tests/live/commit_run.h"

namespace foretell::live {
namespace {

using testing::HasSubstr;
using testing::Not;

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

// Once the coordinator has crashed, that it does so again is no mere idea: the reason why there is
// no plan is another one.
TEST(LiveCommitTest, WhatHasCrashedIsExpectedToCrashAgain) {
  CommitCluster cluster({.bug = "forgets-decision", .delay = "40ms..40ms"});
  ASSERT_NE(cluster.nodes, nullptr);
  const std::string audit = cluster.folder.path() + "/audit.jsonl";
  auto agent = agent::AgentFeed::Start(
      *cluster.nodes,
      agent::PatientPace(kSteps) + "[invariants]\natomic = \"enforce\"\n[audit]\npath = \"" +
          audit + "\"\n",
      [](const std::string&, const nlohmann::json&) {});
  ASSERT_TRUE(agent.ok()) << agent.status();
  cluster.Begin();
  EXPECT_TRUE((*agent)->AwaitRound().ok());
  EXPECT_THAT(TextOf(audit), HasSubstr("which has not happened"));
  EXPECT_THAT(TextOf(audit), Not(HasSubstr("never again let commits come to hold")));
  // The participants have heard, and nothing is decided: the transaction will be aborted.
  EXPECT_TRUE(cluster.clock->Pass(std::chrono::milliseconds(50)).ok());
  cluster.nodes->process(0).Signal(SIGKILL);
  ASSERT_TRUE(cluster.nodes->process(0).Wait(std::chrono::minutes(5)).ok());
  ASSERT_TRUE(cluster.nodes->Restart(0).ok());
  EXPECT_TRUE(cluster.clock->Pass(kTransaction).ok());
  EXPECT_TRUE((*agent)->AwaitRound().ok());
  cluster.Begin();
  EXPECT_TRUE((*agent)->AwaitRound().ok());
  EXPECT_THAT(TextOf(audit), HasSubstr("never again let commits come to hold"));
  EXPECT_TRUE((*agent)->End().ok());
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
