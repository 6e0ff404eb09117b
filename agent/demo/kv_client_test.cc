#include "foretell/agent/demo/kv_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "foretell/agent/demo/node_client.h"

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;
using testing::HasSubstr;

// Nodes that answer from a table; who has no line there is not reachable.
struct Nodes {
  std::map<size_t, std::string> roles;
  std::map<std::string, std::string> values;
  std::vector<std::string> called;
  KvClient Client() {
    return KvClient(3, [this](size_t node, const std::string& line) { return Answer(node, line); });
  }
  absl::StatusOr<std::string> Answer(size_t node, const std::string& line) {
    if (!roles.contains(node)) return absl::UnavailableError("gone");
    if (line == "ask role") return "ok " + roles[node];
    if (line.starts_with("call")) {
      called.push_back(std::to_string(node) + " " + line);
      return "ok " + line.substr(5);
    }
    const auto found = values.find(line.substr(8));
    return found == values.end() ? "ok nothing" : "ok value " + found->second + " index 7";
  }
};

TEST(KvClientTest, TheLeaderOfTheHighestTermLeads) {
  Nodes nodes{.roles = {{0, "leader term 2 log 3 committed 2 applied 2"},
                        {1, "follower term 4 log 3 committed 2 applied 2"},
                        {2, "leader term 4 log 3 committed 2 applied 2"}}};
  EXPECT_EQ(nodes.Client().Leader(), 2u);
  EXPECT_EQ(nodes.Client().WaitForLeader(4, 0ms), std::nullopt);
  nodes.roles.erase(2);
  EXPECT_EQ(nodes.Client().Leader(), 0u);
}

TEST(KvClientTest, APutCountsWhenTheLeaderHasAppliedIt) {
  Nodes nodes{.roles = {{1, "leader term 2 log 3 committed 2 applied 2"}}};
  nodes.values["colour"] = "red";
  EXPECT_TRUE(absl::IsDeadlineExceeded(nodes.Client().Put("colour", "blue", 20ms)));
  EXPECT_THAT(nodes.called, testing::ElementsAre("1 call Put(key=colour, value=blue)"));
  nodes.values["colour"] = "blue";
  EXPECT_TRUE(nodes.Client().Put("colour", "blue", 20ms).ok());
}

TEST(KvClientTest, WhoLostItsLeadAcknowledgesNothing) {
  Nodes nodes{.roles = {{1, "follower term 3 log 3 committed 2 applied 2"}}};
  EXPECT_FALSE(nodes.Client().WaitAcknowledged(1, "a", "b", 60'000ms)) << "and does not wait";
}

TEST(KvClientTest, ReadsWhatIsThere) {
  Nodes nodes{.roles = {{1, "leader term 2 log 3 committed 2 applied 2"}}};
  nodes.values["a"] = "b";
  EXPECT_EQ(*nodes.Client().Get(1, "a"), "b");
  EXPECT_EQ(*nodes.Client().Get(1, "c"), std::nullopt);
  EXPECT_FALSE(nodes.Client().Get(0, "a").ok());
}

TEST(KvClientTest, ANodeOfAnotherServiceIsNamed) {
  const KvClient client(1, [](size_t, const std::string&) -> absl::StatusOr<std::string> {
    return std::string("error 'role' is not a question that this service answers");
  });
  EXPECT_THAT(std::string(client.RoleOf(0).status().message()),
              HasSubstr("no node of a key-value"));
}

TEST(NodeLineTest, AddressesAreChecked) {
  EXPECT_EQ(ParseClientAddress("10.0.0.1:7101")->port, 7101);
  EXPECT_EQ(ParseClientAddress("10.0.0.1:7101")->host, "10.0.0.1");
  EXPECT_EQ(ParseClientAddress("[::1]:7101")->host, "::1");
  for (const char* bad : {"", "host", ":7101", "host:", "host:0", "host:70000", "host:x"}) {
    EXPECT_FALSE(ParseClientAddress(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace foretell::agent
