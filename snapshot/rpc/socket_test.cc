#include "foretell/snapshot/rpc/socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "foretell/snapshot/testing/rpc_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace foretell::snapshot {
namespace {

using absl::StatusCode;
using testing::HasSubstr;

class RpcSocketTest : public testing::Test {
 protected:
  // Listens, and stops listening at once.
  absl::Status TryListen(const Address& address, Address* found = nullptr) {
    return loop_->Await([&] {
      return Listen(*loop_, address).then([&](absl::StatusOr<Listening> listening) {
        if (listening.ok() && found != nullptr) *found = listening->address;
        return listening.status();
      });
    });
  }

  TempFolder folder_;
  std::unique_ptr<RpcLoop> loop_ = std::move(*RpcLoop::Start());
};

TEST_F(RpcSocketTest, OnlyOurUserMayConnect) {
  FakeEndpoint endpoint(0);
  const mode_t before = umask(0);
  const auto server = StartServer(folder_.Socket(0), endpoint);
  umask(before);
  struct stat file {};
  ASSERT_EQ(stat(folder_.File("node0").c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600u);
}

TEST_F(RpcSocketTest, AStaleFileIsReplaced) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  strncpy(name.sun_path, folder_.File("node0").c_str(), sizeof(name.sun_path) - 1);
  const int dead = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(bind(dead, reinterpret_cast<const sockaddr*>(&name), sizeof(name)), 0);
  close(dead);
  ASSERT_TRUE(std::filesystem::exists(folder_.File("node0")));
  EXPECT_EQ(TryListen(folder_.Socket(0)), absl::OkStatus());
  EXPECT_FALSE(std::filesystem::exists(folder_.File("node0")));
}

TEST_F(RpcSocketTest, ALiveOneIsLeftAlone) {
  FakeEndpoint endpoint(0);
  const auto server = StartServer(folder_.Socket(0), endpoint);
  const absl::Status status = TryListen(folder_.Socket(0));
  EXPECT_EQ(status.code(), StatusCode::kAlreadyExists) << status;
  EXPECT_THAT(status.ToString(), HasSubstr(folder_.File("node0")));
  const auto client = StartClient({server->address()});
  EXPECT_TRUE(client->Collect(1, kLong)[0].checkpoint.ok());
}

TEST_F(RpcSocketTest, WhatIsNoSocketIsLeftAlone) {
  std::ofstream(folder_.File("node0")) << "precious";
  const absl::Status status = TryListen(folder_.Socket(0));
  EXPECT_EQ(status.code(), StatusCode::kAlreadyExists) << status;
  EXPECT_TRUE(std::filesystem::exists(folder_.File("node0")));
}

TEST_F(RpcSocketTest, AFileOfASuccessorIsLeftAlone) {
  FakeEndpoint endpoint(0);
  auto first = StartServer(folder_.Socket(0), endpoint);
  std::filesystem::remove(folder_.File("node0"));
  const auto second = StartServer(folder_.Socket(0), endpoint);
  first.reset();
  EXPECT_TRUE(std::filesystem::exists(folder_.File("node0")));
}

TEST_F(RpcSocketTest, PathsThatCannotBeAreNamed) {
  Address address;
  address.path = std::string(200, 'x');
  EXPECT_EQ(TryListen(address).code(), StatusCode::kInvalidArgument);
  address.path = folder_.File("no/such/folder");
  const absl::Status status = TryListen(address);
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status;
  EXPECT_THAT(status.ToString(), HasSubstr(address.path));
}

TEST_F(RpcSocketTest, TheKernelChoosesThePort) {
  Address found;
  EXPECT_EQ(TryListen(Loopback(), &found), absl::OkStatus());
  EXPECT_NE(found.port, 0);
  EXPECT_EQ(found.host, "127.0.0.1");
}

TEST_F(RpcSocketTest, APortThatIsTakenIsNamed) {
  FakeEndpoint endpoint(0);
  const auto server = StartServer(Loopback(), endpoint);
  const absl::Status status = TryListen(server->address());
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.ToString(), HasSubstr(std::to_string(server->address().port)));
}

}  // namespace
}  // namespace foretell::snapshot
