// Agents that come over TCP show who they are, and so do nodes. Who is refused is told why, on both
// sides, and costs the cluster nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/testing/certificates.h"
#include "foretell/tests/live/live_agent.h"

namespace foretell::live {
namespace {

using snapshot::TlsFiles;
using testing::HasSubstr;

constexpr const char* kExpired = "-startdate 20200101000000Z -enddate 20200102000000Z";

std::vector<std::string> NodeFlags(const TlsFiles& tls) {
  return {"--tls-cert", tls.certificate, "--tls-key", tls.key, "--tls-ca", tls.authority};
}

class LiveTlsTest : public testing::Test {
 protected:
  void SetUp() override {
    certificates_.MakeAuthority("ours");
    certificates_.MakeAuthority("theirs");
    StartCluster("-days 1");
  }
  void StartCluster(const std::string& dates) {
    cluster_ = std::make_unique<LiveCluster>(LiveOptions{
        .agent_tcp = true,
        .node_flags = NodeFlags(certificates_.Make("node", "ours", "127.0.0.1", dates))});
    ASSERT_NE(cluster_->nodes, nullptr);
  }
  LiveAgent Start(const std::string& more) {
    return LiveAgent(cluster_->folder.path(), cluster_->Config(more));
  }
  LiveAgent Start(const TlsFiles& tls) {
    return Start(absl::StrCat("[tls]\ncertificate = \"", tls.certificate, "\"\nkey = \"", tls.key,
                              "\"\nauthority = \"", tls.authority, "\"\n"));
  }
  TlsFiles Agent() { return certificates_.Make("agent", "ours", "agent"); }

  std::string NodeLog() const {
    std::ifstream file(cluster_->folder.path() + "/node1.log");
    return (std::ostringstream() << file.rdbuf()).str();
  }
  // The agent says `agent_says`, the node `node_says`, and both that somebody is refused.
  void ExpectRefused(LiveAgent& agent, const std::string& agent_says,
                     const std::string& node_says) {
    EXPECT_TRUE(agent.WaitForLog(agent_says)) << agent.log();
    EXPECT_TRUE(agent.WaitForLog("rejected: no node answered"));
    EXPECT_TRUE(agent.WaitForText([this] { return NodeLog(); }, node_says)) << NodeLog();
    EXPECT_THAT(NodeLog(), HasSubstr("closed 127.0.0.1"));
    for (size_t n = 0; n < 3; ++n) EXPECT_TRUE(cluster_->Works(n));
  }
  void ExpectRounds(LiveAgent agent) {
    EXPECT_TRUE(agent.WaitFor([](const std::string& line) {
      return line.find("\"exact\":true") != std::string::npos;
    })) << agent.log();
  }

  snapshot::Certificates certificates_;
  std::unique_ptr<LiveCluster> cluster_;
};

TEST_F(LiveTlsTest, AnAgentWithTheRightCertificateCollects) {
  EXPECT_THAT(cluster_->nodes->agent_address(0), HasSubstr("tcp:127.0.0.1:"));
  ExpectRounds(Start(Agent()));
}

TEST_F(LiveTlsTest, AnAgentOfAnotherAuthorityIsRefused) {
  TlsFiles stranger = certificates_.Make("stranger", "theirs", "agent");
  // It trusts the nodes: only they can be the ones who refuse.
  stranger.authority = certificates_.File("ours.pem");
  {
    LiveAgent agent = Start(stranger);
    ExpectRefused(agent, "our certificate", "TLS: its certificate is not of our authority");
  }
  ExpectRounds(Start(Agent()));
}

TEST_F(LiveTlsTest, AnAgentWithoutTlsIsRefused) {
  {
    LiveAgent agent = Start("");
    ExpectRefused(agent, "it may want TLS", "TLS: it does not speak TLS");
  }
  ExpectRounds(Start(Agent()));
}

TEST_F(LiveTlsTest, AnExpiredAgentIsRefused) {
  LiveAgent agent = Start(certificates_.Make("late", "ours", "agent", kExpired));
  ExpectRefused(agent, "our certificate", "TLS: its certificate is not of our authority");
}

TEST_F(LiveTlsTest, ExpiredNodesAreRefused) {
  StartCluster(kExpired);
  LiveAgent agent = Start(Agent());
  ExpectRefused(agent, "TLS: its certificate is not of our authority",
                "TLS: our certificate has expired");
}

}  // namespace
}  // namespace foretell::live
