// Nodes with streams between them: what a break loses is known to the cuts, and what it can lead to
// is foreseen.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "foretell/tests/live/live_agent.h"

namespace foretell::live {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

constexpr std::chrono::minutes kHang{5};

// Reads events up to the next round with an exact cut. What was foreseen until then is added to
// `foreseen`.
bool WaitForExact(LiveAgent& agent, std::vector<std::string>& foreseen) {
  return agent.WaitFor([&foreseen](const std::string& line) {
    const Json event = Json::parse(line, nullptr, false);
    if (!event.is_object()) return false;
    if (event.value("event", "") == "foretell.violation.predicted") foreseen.push_back(line);
    return event.value("event", "") == "foretell.round" && event.value("exact", false);
  });
}

bool IsPrediction(const std::string& line, bool happened) {
  const Json event = Json::parse(line, nullptr, false);
  const char* const name =
      happened ? "foretell.violation.happened" : "foretell.violation.predicted";
  return event.is_object() && event.value("event", "") == name;
}

// The line of `name` in what a node says about itself.
std::string LineOf(LiveCluster& cluster, size_t node, const std::string& command,
                   const std::string& name) {
  const auto lines = cluster.nodes->AskAll(node, command);
  EXPECT_TRUE(lines.ok()) << lines.status();
  for (const std::string& line : lines.ok() ? *lines : std::vector<std::string>()) {
    if (line.starts_with(name + " ")) return line;
  }
  return "";
}

void Append(LiveCluster& cluster, int count) {
  for (int i = 0; i < count; ++i) {
    const auto answer = cluster.nodes->Ask(0, "call Append");
    ASSERT_TRUE(answer.ok() && answer->starts_with("ok")) << answer.status();
  }
}

void SetFaults(LiveCluster& cluster, const std::string& faults) {
  for (size_t n = 0; n < cluster.nodes->size(); ++n) {
    const auto answer = cluster.nodes->Ask(n, "faults " + faults);
    ASSERT_TRUE(answer.ok() && answer->starts_with("ok")) << answer.status();
  }
}

// Logs only grow, so what is missing comes or never does; each append makes backups look for gaps.
bool LogsAgree(LiveCluster& cluster, LiveAgent& agent) {
  for (int i = 0; i < 100; ++i) {
    Append(cluster, 1);
    if (!agent.WaitForRounds(2)) return false;
    const std::string log = LineOf(cluster, 0, "state", "log");
    if (log == LineOf(cluster, 1, "state", "log") && log == LineOf(cluster, 2, "state", "log")) {
      return true;
    }
  }
  return false;
}

TEST(LiveStreamsTest, CutsStayExactWhileStreamsBreakAndNobodyCriesWolf) {
  LiveCluster cluster({.service = "shipping"});
  LiveAgent agent(cluster.folder.path(), cluster.Config());
  std::vector<std::string> foreseen;
  ASSERT_TRUE(WaitForExact(agent, foreseen)) << agent.log();
  for (int i = 0; i < 10; ++i) {
    SetFaults(cluster, absl::StrCat("loss=0.3 delay=0ms..3ms seed=", i));
    Append(cluster, 5);
    ASSERT_TRUE(agent.WaitForRounds(1)) << agent.log();
    SetFaults(cluster, "off");
    ASSERT_TRUE(WaitForExact(agent, foreseen)) << agent.log();
  }
  EXPECT_THAT(foreseen, testing::IsEmpty());
  EXPECT_THAT(agent.log(), Not(HasSubstr("rejected")));
  for (size_t n = 1; n < 3; ++n) {
    EXPECT_NE(LineOf(cluster, n, "stats", "streams-broken"), "streams-broken 0");
    EXPECT_EQ(LineOf(cluster, n, "stats", "gaps"), "gaps 0");
  }
  EXPECT_TRUE(LogsAgree(cluster, agent));
}

TEST(LiveStreamsTest, TheBugIsPredictedBeforeAStreamBreaks) {
  LiveCluster cluster({.service = "shipping", .bug = "blind-append"});
  LiveAgent agent(cluster.folder.path(), cluster.Config());
  Append(cluster, 3);
  EXPECT_TRUE(agent.WaitFor([](const std::string& line) { return IsPrediction(line, false); }))
      << agent.log();
  EXPECT_THAT(agent.log(), HasSubstr("PREDICTED: agreement can be violated in"));
  // Nothing has gone wrong so far.
  for (size_t n = 1; n < 3; ++n) {
    EXPECT_EQ(LineOf(cluster, n, "stats", "streams-broken"), "streams-broken 0");
  }
  EXPECT_THAT(agent.log(), Not(HasSubstr("VIOLATED")));
  // Now it does.
  SetFaults(cluster, "loss=0.4");
  Append(cluster, 40);
  SetFaults(cluster, "off");
  EXPECT_TRUE(agent.WaitFor([](const std::string& line) { return IsPrediction(line, true); }))
      << agent.log();
}

// Nobody calls anything after the restart: that cuts get whole again does not depend on traffic.
TEST(LiveStreamsTest, ARestartedNodeIsWholeAgain) {
  LiveCluster cluster({.service = "shipping", .store = true});
  LiveAgent agent(cluster.folder.path(), cluster.Config());
  std::vector<std::string> foreseen;
  ASSERT_TRUE(WaitForExact(agent, foreseen)) << agent.log();
  for (const size_t victim : {1, 0, 2, 2}) {
    Append(cluster, 5);
    cluster.nodes->process(victim).Signal(SIGKILL);
    ASSERT_TRUE(cluster.nodes->process(victim).Wait(kHang).ok());
    EXPECT_TRUE(agent.WaitForRounds(2)) << agent.log();
    ASSERT_TRUE(cluster.nodes->Restart(victim).ok());
    EXPECT_TRUE(WaitForExact(agent, foreseen)) << "node " << victim << "\n" << agent.log();
  }
  EXPECT_THAT(foreseen, testing::IsEmpty());
  EXPECT_THAT(agent.log(), Not(HasSubstr("rejected")));
  EXPECT_TRUE(LogsAgree(cluster, agent));
}

}  // namespace
}  // namespace foretell::live
