// Programs that block, on real sockets: each process and the mailboxes are a node, the agent takes
// cuts of their histories and knows what the processes will come to.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "foretell/agent/demo/cluster_clock.h"
#include "foretell/tests/live/live_agent.h"

namespace foretell::live {
namespace {

using std::chrono_literals::operator""s;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

bool IsExact(const std::string& line) {
  const Json event = Json::parse(line, nullptr, false);
  return event.is_object() && event.value("event", "") == "foretell.round" &&
         event.value("exact", false);
}

bool IsForeseen(const std::string& line, const std::string& invariant) {
  const Json event = Json::parse(line, nullptr, false);
  return event.is_object() && event.value("event", "") == "foretell.violation.predicted" &&
         event.value("invariant", "") == invariant && event.value("steps_away", 0) > 0 &&
         event.value("text", "").find("not exact") == std::string::npos;
}

std::string StateOf(LiveCluster& cluster, size_t node) {
  const auto lines = cluster.nodes->AskAll(node, "state");
  std::string text = std::string(lines.status().message());
  for (const std::string& line : lines.ok() ? *lines : std::vector<std::string>()) {
    text += line + "\n";
  }
  return text;
}

// Time passes when the test says so: nobody has begun yet, and the agent knows how it can end. The
// deadlock shows only unbuffered.
TEST(LiveProcessesTest, ADeadlockIsForeseen) {
  LiveCluster cluster({.service = "halo", .bug = "sends-first", .node_count = 5, .stepped = true});
  LiveAgent agent(cluster.folder.path(), cluster.Config());
  EXPECT_TRUE(agent.WaitFor([](const std::string& line) {
    return IsForeseen(line, "no-deadlock");
  })) << agent.log();
  for (size_t n = 0; n < 4; ++n)
    EXPECT_THAT(StateOf(cluster, n), HasSubstr("process.started = no"));
}

// The coroutines that were checked run to their end, and nobody cries wolf.
TEST(LiveProcessesTest, ACorrectProgramComesToItsEndInSilence) {
  LiveCluster cluster({.service = "mailbox-server", .node_count = 5, .stepped = true});
  LiveAgent agent(cluster.folder.path(), cluster.Config());
  ASSERT_TRUE(agent.WaitFor(IsExact)) << agent.log();
  agent::ClusterClock clock(*cluster.nodes);
  const absl::Status passed = clock.Pass(5s);
  ASSERT_TRUE(passed.ok()) << passed;
  ASSERT_TRUE(agent.WaitFor(IsExact)) << agent.log();
  for (size_t n = 0; n < 4; ++n) EXPECT_THAT(StateOf(cluster, n), HasSubstr("ended"));
  // What a server was before it last became something else is forgotten, here as in a check.
  EXPECT_THAT(StateOf(cluster, 0), HasSubstr("server"));
  EXPECT_EQ(cluster.nodes->running(), 5u);
  EXPECT_THAT(agent.log(), Not(HasSubstr("PREDICTED")));
  EXPECT_THAT(agent.log(), Not(HasSubstr("VIOLATED")));
}

}  // namespace
}  // namespace foretell::live
