// Cuts are exact although nodes have no store and nothing to say to each other.

#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "foretell/tests/live/live_agent.h"

namespace foretell::live {
namespace {

bool IsExact(const std::string& line) {
  const auto event = nlohmann::json::parse(line, nullptr, false);
  return event.is_object() && event.value("event", "") == "foretell.round" &&
         event.value("exact", false);
}

// A node that comes back has missed what the others announced when they began.
TEST(LiveExactTest, ACutIsExactAgainAfterARestartWithoutAStore) {
  LiveCluster cluster({.node_count = 3, .store = false});
  cluster.nodes->process(1).Signal(SIGKILL);
  ASSERT_TRUE(cluster.nodes->process(1).Wait(std::chrono::minutes(5)).ok());
  ASSERT_TRUE(cluster.nodes->Restart(1).ok());
  LiveAgent agent(cluster.folder.path(), cluster.Config());
  EXPECT_TRUE(agent.WaitFor(IsExact)) << agent.log();
}

}  // namespace
}  // namespace foretell::live
