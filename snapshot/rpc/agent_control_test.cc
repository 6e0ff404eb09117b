#include "foretell/snapshot/rpc/agent_control.h"

#include <mutex>

#include "foretell/snapshot/testing/rpc_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace foretell::snapshot {
namespace {

using absl::StatusCode;
using testing::HasSubstr;

class FakeAgent : public ControlHandler {
 public:
  void Kill(std::string reason) override {
    const std::lock_guard lock(mutex_);
    status_.killed = true;
    status_.reason = std::move(reason);
  }
  void Revive() override {
    const std::lock_guard lock(mutex_);
    status_.killed = false;
    status_.reason.clear();
  }
  ControlStatus Status() override {
    const std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  std::mutex mutex_;
  ControlStatus status_{.rounds = 7};
};

class AgentControlTest : public testing::Test {
 protected:
  void SetUp() override {
    auto server = ControlServer::Start(path_, agent_);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = std::move(*server);
  }

  TempFolder folder_;
  const std::string path_ = folder_.File("control");
  FakeAgent agent_;
  std::unique_ptr<ControlServer> server_;
};

TEST_F(AgentControlTest, KillsAndRevives) {
  EXPECT_EQ(SendKill(path_, "it is wrong", kLong), absl::OkStatus());
  absl::StatusOr<ControlStatus> status = AskStatus(path_, kLong);
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_TRUE(status->killed);
  EXPECT_EQ(status->rounds, 7u);
  EXPECT_EQ(status->reason, "it is wrong");
  EXPECT_EQ(SendRevive(path_, kLong), absl::OkStatus());
  status = AskStatus(path_, kLong);
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_FALSE(status->killed);
}

TEST_F(AgentControlTest, TwoAgentsCannotShareASocket) {
  const auto second = ControlServer::Start(path_, agent_);
  EXPECT_EQ(second.status().code(), StatusCode::kAlreadyExists) << second.status();
  EXPECT_TRUE(AskStatus(path_, kLong).ok());
}

TEST_F(AgentControlTest, NobodyThere) {
  server_.reset();
  const absl::Status status = SendKill(path_, "", kLong);
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status;
  EXPECT_THAT(status.ToString(), HasSubstr(path_));
}

TEST_F(AgentControlTest, AnotherServiceOnTheSocket) {
  FakeEndpoint endpoint(0);
  const auto node = StartServer(folder_.Socket(0), endpoint);
  const absl::Status status = SendKill(folder_.File("node0"), "", kLong);
  EXPECT_EQ(status.code(), StatusCode::kUnimplemented) << status;
}

TEST_F(AgentControlTest, ManyInARow) {
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(AskStatus(path_, kLong).ok());
}

}  // namespace
}  // namespace foretell::snapshot
