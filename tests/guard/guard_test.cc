// `foretell check` of services that misbehave, as users start it: the process must come to an end,
// and say who did what.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "foretell/agent/console/console.h"
#include "foretell/agent/demo/child_process.h"
#include "foretell/model/check.h"

namespace foretell::tests {
namespace {

using agent::ChildProcess;
using testing::HasSubstr;

// For hangs only.
constexpr std::chrono::minutes kLong(9);

class GuardTest : public testing::TestWithParam<const char*> {
 protected:
  GuardTest() : log_(testing::TempDir() + "guard_test." + std::to_string(getpid()) + ".log") {
    std::filesystem::remove(log_);
  }
  ~GuardTest() override { std::filesystem::remove(log_); }

  std::unique_ptr<ChildProcess> Start(const std::string& bug, const std::string& engine,
                                      const std::string& budget) const {
    auto child = ChildProcess::Start({FORETELL_PROGRAM, "check", service_, "--plugin", plugin_,
                                      "--bug", bug, "--engine", engine, "--budget", budget},
                                     log_);
    FORETELL_CHECK(child.ok());
    return *std::move(child);
  }
  int Run(const std::string& bug, const std::string& engine, const std::string& budget = "1h") {
    const auto child = Start(bug, engine, budget);
    // Else it might wait for somebody to read what it prints.
    for (auto line = child->ReadLine(kLong); line.ok(); line = child->ReadLine(kLong)) {
      out_ += *line + "\n";
    }
    return child->Wait(kLong).value_or(-1);
  }
  std::string Log() const {
    std::ostringstream text;
    text << std::ifstream(log_).rdbuf();
    return text.str();
  }

  std::string service_ = "misbehaving";
  std::string plugin_ = MISBEHAVING_PLUGIN;
  const std::string log_;
  std::string out_;
};

// The same of programs that block.
class ProcessGuardTest : public GuardTest {
 protected:
  ProcessGuardTest() {
    service_ = "looping";
    plugin_ = LOOPING_PLUGIN;
  }
};
INSTANTIATE_TEST_SUITE_P(Engine, ProcessGuardTest, testing::Values("dpor", "global", "portfolio"));

constexpr const char* kHandler =
    "foretell: misbehaving: the handler of deliver Ping(n=7) from node 0 at node 1 ";
constexpr const char* kState = "; before that, node 1 had count=4\n";

INSTANTIATE_TEST_SUITE_P(Engine, GuardTest,
                         testing::Values("global", "por", "lmc", "consequence", "dir",
                                         "portfolio"));

TEST_P(GuardTest, NamesAHandlerThatFollowsANullPointer) {
  EXPECT_EQ(Run("null", GetParam()), agent::kExitViolation);
  EXPECT_EQ(Log(), std::string(kHandler) + "crashed: SIGSEGV, a null pointer" + kState);
}

TEST_P(GuardTest, NamesAHandlerThatExhaustsTheStack) {
  EXPECT_EQ(Run("recursion", GetParam()), agent::kExitViolation);
  EXPECT_EQ(Log(), std::string(kHandler) + "crashed: SIGSEGV, the stack is exhausted" + kState);
}

TEST_F(GuardTest, NamesAHandlerThatAborts) {
  EXPECT_EQ(Run("abort", "por"), agent::kExitViolation);
  EXPECT_EQ(Log(),
            std::string(kHandler) +
                "crashed: SIGABRT, an assertion, abort() or an exception that nobody caught" +
                kState);
}

// With what foretell_add_service defines; without it there is something behind the end.
TEST_F(GuardTest, NamesAHandlerThatReadsBeyondAVector) {
  EXPECT_EQ(Run("beyond", "por"), agent::kExitViolation);
  EXPECT_THAT(Log(), HasSubstr(std::string(kHandler) + "crashed: SIGABRT, an assertion"));
}

TEST_F(GuardTest, NamesAHandlerThatEndsTheProcess) {
  EXPECT_EQ(Run("exit", "por"), agent::kExitViolation);
  EXPECT_EQ(Log(), std::string(kHandler) + "ended the process (exit)" + kState);
}

TEST_F(GuardTest, NamesAnInvariantThatCrashes) {
  EXPECT_EQ(Run("invariant-null", "global"), agent::kExitViolation);
  EXPECT_EQ(Log(), "foretell: misbehaving: invariant low crashed: SIGSEGV, a null pointer\n");
}

// ThreadSanitizer keeps signals back until the thread makes a call that it knows. A loop makes
// none, so that the guard is never let in; after 50 nudges it ends the process without a name.
#ifdef __SANITIZE_THREAD__
constexpr bool kNudgesArrive = false;
#else
constexpr bool kNudgesArrive = true;
#endif

TEST_F(GuardTest, NamesAHandlerThatOutlivesTheBudget) {
  if (!kNudgesArrive) GTEST_SKIP() << "ThreadSanitizer keeps signals back";
  EXPECT_EQ(Run("loop", "global", "10ms"), agent::kExitViolation);
  EXPECT_EQ(Log(), std::string(kHandler) + "does not return" + kState);
}

TEST_F(GuardTest, NamesAHandlerThatOutlivesAnInterrupt) {
  if (!kNudgesArrive) GTEST_SKIP() << "ThreadSanitizer keeps signals back";
  const auto child = Start("loop", "portfolio", "1h");
  const auto line = child->ReadLine(kLong);
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(*line, "looping");
  child->Signal(SIGINT);
  EXPECT_EQ(child->Wait(kLong).value_or(-1), agent::kExitViolation);
  EXPECT_EQ(Log(), std::string(kHandler) + "does not return" + kState);
}

constexpr const char* kProcess =
    "foretell: looping: the handler of deliver Completed(index=0, value=2, mailbox=0) from node 2 "
    "at node 0 ";

TEST_P(ProcessGuardTest, NamesAProcessThatLoopsWithoutAPrimitive) {
  if (!kNudgesArrive) GTEST_SKIP() << "ThreadSanitizer keeps signals back";
  EXPECT_EQ(Run("loop", GetParam(), "10ms"), agent::kExitViolation);
  EXPECT_THAT(Log(), HasSubstr(std::string(kProcess) + "does not return"));
}

TEST_P(ProcessGuardTest, NamesAProcessThatAborts) {
  EXPECT_EQ(Run("abort", GetParam()), agent::kExitViolation);
  EXPECT_THAT(Log(), HasSubstr("value=1, mailbox=0) from node 2 at node 0 crashed: SIGABRT"));
}

TEST_P(GuardTest, AHandlerThatThrowsAnythingBreaksALocalAssertion) {
  EXPECT_EQ(Run("throw", GetParam()), agent::kExitViolation);
  EXPECT_THAT(out_, HasSubstr("local-assertions"));
  EXPECT_EQ(Log(), "");
}

TEST_P(GuardTest, NamesActionsThatThrow) {
  EXPECT_EQ(Run("actions-throw", GetParam()), agent::kExitUsage);
  EXPECT_THAT(Log(), HasSubstr("misbehaving: Actions at node "));
  EXPECT_THAT(Log(), HasSubstr(" threw: something that is no std::exception\n"));
}

TEST_P(GuardTest, NamesAProjectionThatThrows) {
  EXPECT_EQ(Run("projection-throws", GetParam()), agent::kExitUsage);
  EXPECT_THAT(Log(), HasSubstr("misbehaving: the projection of invariant low at node 1 threw: "
                               "too high\n"));
}

TEST_F(GuardTest, SaysWhatMakingTheSystemThrew) {
  EXPECT_EQ(Run("initial-throws", "por"), agent::kExitUsage);
  EXPECT_THAT(Log(), HasSubstr("foretell: misbehaving: making the system "));
  EXPECT_THAT(Log(), HasSubstr(" threw: no beginning\n"));
}

}  // namespace
}  // namespace foretell::tests
