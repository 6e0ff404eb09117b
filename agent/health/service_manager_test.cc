#include "foretell/agent/health/service_manager.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <map>

namespace foretell::agent {
namespace {

ServiceManager::Environment From(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

// The service manager's end of the socket.
class ManagerSocket {
 public:
  explicit ManagerSocket(const std::string& name) : fd_(socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(bind(fd_, reinterpret_cast<const sockaddr*>(&address), length), 0);
  }
  ~ManagerSocket() { close(fd_); }
  ManagerSocket(const ManagerSocket&) = delete;
  ManagerSocket& operator=(const ManagerSocket&) = delete;

  std::string Receive() const {
    char text[1000];
    const ssize_t size = recv(fd_, text, sizeof text, MSG_DONTWAIT);
    return size < 0 ? "nothing" : std::string(text, static_cast<size_t>(size));
  }

 private:
  int fd_;
};

void ExpectAll(const ServiceManager& manager, const ManagerSocket& socket) {
  EXPECT_TRUE(manager.present());
  EXPECT_TRUE(manager.Ready("3 nodes\nX=1").ok());
  EXPECT_EQ(socket.Receive(), "READY=1\nSTATUS=3 nodes X=1");
  EXPECT_TRUE(manager.Watchdog().ok());
  EXPECT_EQ(socket.Receive(), "WATCHDOG=1");
  EXPECT_TRUE(manager.Status("round 7").ok());
  EXPECT_EQ(socket.Receive(), "STATUS=round 7");
  EXPECT_TRUE(manager.Stopping().ok());
  EXPECT_EQ(socket.Receive(), "STOPPING=1");
}

class ServiceManagerTest : public testing::Test {
 protected:
  ServiceManagerTest() {
    std::string name = testing::TempDir() + "/foretell-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~ServiceManagerTest() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

TEST_F(ServiceManagerTest, TellsASocketInTheFileSystem) {
  const std::string path = folder_ + "/notify";
  const ManagerSocket socket(path);
  ExpectAll(ServiceManager(From({{"NOTIFY_SOCKET", path}})), socket);
}

TEST_F(ServiceManagerTest, TellsAnAbstractSocket) {
  const std::string name = "@" + folder_;
  const ManagerSocket socket(name);
  ExpectAll(ServiceManager(From({{"NOTIFY_SOCKET", name}})), socket);
}

TEST_F(ServiceManagerTest, WithoutAManagerNothingHappens) {
  const ServiceManager manager(From({}));
  EXPECT_FALSE(manager.present());
  EXPECT_TRUE(manager.Ready("").ok());
  EXPECT_EQ(manager.watchdog_period(), std::nullopt);
}

TEST_F(ServiceManagerTest, AManagerThatIsGoneIsAnError) {
  const ServiceManager manager(From({{"NOTIFY_SOCKET", folder_ + "/gone"}}));
  const absl::Status status = manager.Watchdog();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(std::string(status.message()),
            "cannot tell WATCHDOG=1 to " + folder_ + "/gone: No such file or directory");
  EXPECT_FALSE(
      ServiceManager(From({{"NOTIFY_SOCKET", "/" + std::string(200, 'x')}})).Watchdog().ok());
}

TEST_F(ServiceManagerTest, TheWatchdogIsFedTwiceAsOftenAsAsked) {
  using std::chrono::microseconds;
  EXPECT_EQ(ServiceManager(From({{"WATCHDOG_USEC", "30000000"}})).watchdog_period(),
            microseconds(15'000'000));
  EXPECT_EQ(ServiceManager(
                From({{"WATCHDOG_USEC", "30000000"}, {"WATCHDOG_PID", std::to_string(getpid())}}))
                .watchdog_period(),
            microseconds(15'000'000));
  EXPECT_EQ(ServiceManager(From({{"WATCHDOG_USEC", "30000000"}, {"WATCHDOG_PID", "1"}}))
                .watchdog_period(),
            std::nullopt)
      << "another process is watched";
  EXPECT_EQ(ServiceManager(From({{"WATCHDOG_USEC", "soon"}})).watchdog_period(), std::nullopt);
}

}  // namespace
}  // namespace foretell::agent
