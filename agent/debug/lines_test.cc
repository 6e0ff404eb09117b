#include "foretell/agent/debug/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "foretell/agent/debug/testing/toy_session.h"

namespace foretell::agent {
namespace {

TEST(LinesTest, AScriptReadsAsASession) {
  Debugged toy(ToySubject());
  std::istringstream in("node 2\n\nstpe\nquit\nstep\n");
  std::ostringstream out;
  StreamLines lines(in, out);
  const size_t wrong = RunSession(lines, toy.session(), {.out = out, .style = {.utf8 = true}});
  EXPECT_EQ(wrong, 1u);
  EXPECT_THAT(out.str(),
              testing::StartsWith("path 0/8> node 2\n"
                                  "steps of node 2: 3 of 8\n"
                                  "path 0/8> \n"
                                  "path 0/8> stpe\n"
                                  "error: unknown command 'stpe': did you mean 'step'?"));
  EXPECT_THAT(out.str(), testing::EndsWith("path 0/8> quit\n"));
}

TEST(LinesTest, CompletesAsFarAsAllAgree) {
  EXPECT_EQ(Completed("st", {"step", "steps"}), "step");
  EXPECT_EQ(Completed("use t", {"twin"}), "use twin ");
  EXPECT_EQ(Completed("x", {}), "x");
  EXPECT_EQ(Completed("", {"a", "b"}), "");
}

TEST(LinesTest, KeepsItsHistoryWhereStateBelongs) {
  EXPECT_EQ(HistoryFile("/state", "/home/me"), "/state/foretell/debug_history");
  EXPECT_EQ(HistoryFile(nullptr, "/home/me"), "/home/me/.local/state/foretell/debug_history");
  EXPECT_EQ(HistoryFile("relative", "/home/me"), "/home/me/.local/state/foretell/debug_history");
  EXPECT_EQ(HistoryFile("", nullptr), "");
}

}  // namespace
}  // namespace foretell::agent
