// Mode guard over real sockets, in one process: hosts with stepped clocks, so that no hold ends
// because the machine is slow, and the agent's half behind its client.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <sstream>

#include "foretell/agent/sidecar/steering/guard_desk.h"
#include "foretell/integration/sdk/testing/cluster.h"
#include "foretell/integration/sdk/testing/relay.h"

namespace foretell::guarded {
namespace {

using integration::sdk::HostOptions;
using integration::sdk::testing::Cluster;
using integration::sdk::testing::MakeRelay;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::chrono::milliseconds kHold{10'000};

// An agent that guards one-lock, and does nothing else.
class Guardian {
 public:
  Guardian(const model::Service& service, const std::vector<snapshot::Address>& nodes,
           const std::string& prefix)
      : log_(lines_, nullptr, [] { return agent::UnixTime{}; }),
        desk_({service, config_, log_, nullptr, prefix}) {
    snapshot::RpcClient::Options options;
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      options.nodes.push_back({model::NodeId(n), nodes[n]});
    }
    options.guardian = &desk_;
    client_ = *snapshot::RpcClient::Start(std::move(options));
    client_->SetGuard(desk_.terms());
  }

  bool AwaitAll() {
    return Await([](const std::string& why) { return why.empty(); });
  }
  bool AwaitNone() {
    return Await([](const std::string& why) { return !why.empty(); });
  }
  void Stop() { client_->SetGuard({}); }
  agent::GuardDesk& desk() { return desk_; }

 private:
  template <class Wanted>
  bool Await(Wanted wanted) {
    const auto give_up = std::chrono::steady_clock::now() + integration::sdk::testing::kHang;
    while (std::chrono::steady_clock::now() < give_up) {
      const auto status = desk_.status();
      if (std::all_of(status.not_guarded.begin(), status.not_guarded.end(), wanted)) return true;
      std::this_thread::yield();
    }
    return false;
  }
  static agent::Config MakeConfig() {
    agent::Config config;
    config.modes["one-lock"] = snapshot::Mode::kGuard;
    config.hold = kHold;
    return config;
  }

  const agent::Config config_ = MakeConfig();
  std::ostringstream lines_;
  agent::AgentLog log_;
  agent::GuardDesk desk_;
  std::unique_ptr<snapshot::RpcClient> client_;
};

class GuardedHostsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "guardXXXXXX";
    folder_ = mkdtemp(pattern.data());
    for (uint32_t n = 0; n < 3; ++n) {
      addresses_.push_back({.path = absl::StrCat(folder_, "/node", n, ".sock")});
    }
    cluster_.StartAll([this](HostOptions& options) {
      options.stepped = true;
      options.agent = addresses_[options.node.index()];
    });
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  int Holders() {
    int holders = 0;
    for (uint32_t n = 0; n < 3; ++n) {
      holders += cluster_.Ask(n, "projections").starts_with("one-lock 01") ? 1 : 0;
    }
    return holders;
  }

  const std::unique_ptr<model::Service> service_ = MakeRelay({});
  std::string folder_;
  std::vector<snapshot::Address> addresses_;
  Cluster cluster_{*service_};
};

TEST_F(GuardedHostsTest, OfThreeThatWantTheLockAtOnceOneGetsIt) {
  Guardian guardian(*service_, addresses_, "a-");
  ASSERT_TRUE(guardian.AwaitAll());
  std::vector<std::future<std::string>> answers;
  for (uint32_t n = 0; n < 3; ++n) {
    answers.push_back(
        std::async(std::launch::async, [this, n] { return cluster_.Ask(n, "call Lock"); }));
  }
  int done = 0;
  for (auto& answer : answers) {
    const std::string text = answer.get();
    if (text == "ok Lock()") {
      ++done;
    } else {
      EXPECT_THAT(text, StartsWith("refused a-g"));
      EXPECT_THAT(text, HasSubstr("one-lock"));
    }
  }
  EXPECT_EQ(done, 1);
  EXPECT_EQ(Holders(), 1);
  EXPECT_EQ(guardian.desk().status().refused, 2u);
}

TEST_F(GuardedHostsTest, EachOfTwoAgentsIsAsked) {
  Guardian one(*service_, addresses_, "a-");
  Guardian other(*service_, addresses_, "b-");
  ASSERT_TRUE(one.AwaitAll());
  ASSERT_TRUE(other.AwaitAll());
  EXPECT_EQ(cluster_.Ask(0, "call Lock"), "ok Lock()");
  EXPECT_THAT(cluster_.Ask(1, "call Lock"), StartsWith("refused"));
  EXPECT_EQ(one.desk().status().granted, 1u);
  EXPECT_EQ(other.desk().status().granted, 1u);
  EXPECT_EQ(Holders(), 1);
}

TEST_F(GuardedHostsTest, WithoutItsAgentANodeGoesOn) {
  {
    Guardian guardian(*service_, addresses_, "a-");
    ASSERT_TRUE(guardian.AwaitAll());
    EXPECT_EQ(cluster_.Ask(0, "call Lock"), "ok Lock()");
  }
  // The connections are gone; no clock has moved.
  EXPECT_EQ(cluster_.Ask(1, "call Lock"), "ok Lock()");
  EXPECT_EQ(Holders(), 2);
}

TEST_F(GuardedHostsTest, TheKillSwitchEndsTheGuard) {
  Guardian guardian(*service_, addresses_, "a-");
  ASSERT_TRUE(guardian.AwaitAll());
  EXPECT_EQ(cluster_.Ask(0, "call Lock"), "ok Lock()");
  guardian.Stop();
  ASSERT_TRUE(guardian.AwaitNone());
  EXPECT_EQ(cluster_.Ask(1, "call Lock"), "ok Lock()");
}

}  // namespace
}  // namespace foretell::guarded
