#include "foretell/agent/debug/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "foretell/agent/debug/testing/toy_session.h"
#include "foretell/snapshot/testing/sample_records.h"

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

// A terminal, and the keys that somebody has pressed there. Nobody looks at what it shows.
class Terminal {
 public:
  explicit Terminal(const std::string& keys) {
    int slave = -1;
    // Echoes and prompts of these few lines fit into the terminal's buffer.
    EXPECT_EQ(openpty(&master_, &slave, nullptr, nullptr, nullptr), 0);
    EXPECT_EQ(write(master_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    in_ = fdopen(slave, "r");
    out_ = fdopen(dup(slave), "w");
    setenv("EDITRC", "/dev/null", 1);  // The user's own habits.
    setenv("TERM", "dumb", 1);
  }
  ~Terminal() {
    std::fclose(in_);
    std::fclose(out_);
    close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  std::unique_ptr<Lines> Open(const std::string& history) {
    return MakeTerminalLines({.complete = [](const std::string& line) -> std::vector<std::string> {
                                return line == "ru" ? std::vector<std::string>{"run"}
                                                    : std::vector<std::string>{"violation"};
                              },
                              .history = history,
                              .in = in_,
                              .out = out_});
  }

 private:
  int master_ = -1;
  std::FILE* in_ = nullptr;
  std::FILE* out_ = nullptr;
};

TEST(LinesTest, ATerminalCompletesAndRemembers) {
  const snapshot::TempFolder folder;
  const std::string history = folder.File("new/history");
  {
    Terminal terminal("ru\tv\t\nwhere\n");
    const auto lines = terminal.Open(history);
    EXPECT_EQ(lines->Next("> "), "run violation ");
    EXPECT_EQ(lines->Next("> "), "where");
  }
  EXPECT_THAT(snapshot::Contents(history), testing::HasSubstr("where"));
  Terminal later("\x10\x10\n");  // Two lines up.
  EXPECT_EQ(later.Open(history)->Next("> "), "run violation");
}

TEST(LinesTest, KeepsItsHistoryWhereStateBelongs) {
  EXPECT_EQ(HistoryFile("/state", "/home/me"), "/state/foretell/debug_history");
  EXPECT_EQ(HistoryFile(nullptr, "/home/me"), "/home/me/.local/state/foretell/debug_history");
  EXPECT_EQ(HistoryFile("relative", "/home/me"), "/home/me/.local/state/foretell/debug_history");
  EXPECT_EQ(HistoryFile("", nullptr), "");
}

}  // namespace
}  // namespace foretell::agent
