// Whatever happens to an agent or around it, the nodes go on; whatever happens to a node, the agent
// goes on. Each fault has a line in the log that names it.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/rpc/agent_control.h"
#include "foretell/tests/live/live_agent.h"

namespace foretell::live {
namespace {

using testing::HasSubstr;

constexpr std::chrono::minutes kHang{5};

TEST(LiveFaultTest, ANodeThatIsKilledIsLeftOutAndComesBack) {
  LiveCluster cluster({.store = true});
  LiveAgent agent(cluster.folder.path(), cluster.Config());
  ASSERT_TRUE(agent.WaitForRounds(2));
  cluster.nodes->process(2).Signal(SIGKILL);
  ASSERT_TRUE(cluster.nodes->process(2).Wait(kHang).ok());
  EXPECT_TRUE(agent.WaitForLog("node 2 is left out")) << agent.log();
  EXPECT_TRUE(cluster.Works(0)) << "two of three are enough";
  ASSERT_TRUE(cluster.nodes->Restart(2).ok());
  EXPECT_TRUE(agent.WaitForLog("node 2 is back")) << agent.log();
  EXPECT_TRUE(cluster.Works(2));
}

TEST(LiveFaultTest, NodesGoOnWhenTheAgentIsKilled) {
  LiveCluster cluster({});
  {
    LiveAgent agent(cluster.folder.path(), cluster.Config("[invariants]\ndefault = \"enforce\"\n"));
    ASSERT_TRUE(agent.WaitForRounds(2));
    agent.process().Signal(SIGKILL);
    ASSERT_TRUE(agent.process().Wait(kHang).ok());
  }
  for (size_t n = 0; n < 3; ++n) EXPECT_TRUE(cluster.Works(n));
  LiveAgent next(cluster.folder.path(), cluster.Config());
  EXPECT_TRUE(next.WaitForRounds(2)) << next.log();
}

TEST(LiveFaultTest, NodesGoOnWhenTheAgentHangs) {
  LiveCluster cluster({});
  LiveAgent agent(cluster.folder.path(), cluster.Config("[invariants]\ndefault = \"enforce\"\n"));
  ASSERT_TRUE(agent.WaitForRounds(2));
  agent.process().Signal(SIGSTOP);
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(cluster.Works(static_cast<size_t>(i % 3)));
  agent.process().Signal(SIGCONT);
  EXPECT_TRUE(agent.WaitForRounds(2)) << agent.log();
}

TEST(LiveFaultTest, ANodeThatHangsCostsOnlyItsOwnAnswer) {
  LiveCluster cluster({});
  // Whoever takes longer than this hangs; others may be left out for it on a slow machine, but not
  // in every round.
  LiveAgent agent(cluster.folder.path(),
                  cluster.nodes->AgentConfig("[rounds]\nperiod = \"100ms\"\nbudget = \"50ms\"\n"
                                             "collect_timeout = \"250ms\"\n"));
  ASSERT_TRUE(agent.WaitForRounds(2));
  cluster.nodes->process(1).Signal(SIGSTOP);
  EXPECT_TRUE(agent.WaitForLog("node 1 is left out")) << agent.log();
  EXPECT_TRUE(agent.WaitForRounds(2));
  cluster.nodes->process(1).Signal(SIGCONT);
  EXPECT_TRUE(agent.WaitForLog("node 1 is back")) << agent.log();
}

// A node is killed again and again while rounds are on: some of them are in the middle of a
// snapshot.
TEST(LiveFaultTest, NodesMayDieInTheMiddleOfASnapshot) {
  LiveCluster cluster({.store = true});
  LiveAgent agent(cluster.folder.path(),
                  cluster.Config("[archive]\npath = \"" + cluster.folder.path() + "/cuts.ftl\"\n"));
  ASSERT_TRUE(agent.WaitForRounds(1));
  for (int i = 0; i < 10; ++i) {
    const size_t victim = static_cast<size_t>(i % 3);
    EXPECT_TRUE(cluster.Works((victim + 1) % 3));
    cluster.nodes->process(victim).Signal(SIGKILL);
    ASSERT_TRUE(cluster.nodes->process(victim).Wait(kHang).ok());
    ASSERT_TRUE(agent.WaitForRounds(1));
    ASSERT_TRUE(cluster.nodes->Restart(victim).ok());
  }
  EXPECT_TRUE(agent.WaitForRounds(3)) << agent.log();
  EXPECT_THAT(agent.log(), testing::Not(HasSubstr("VIOLATED")));
}

TEST(LiveFaultTest, AFullDiskCostsTheArchiveNothingElse) {
  LiveCluster cluster({});
  const std::string archive = cluster.folder.path() + "/cuts.ftl";
  // Files of at most 8 KiB; the shell counts in blocks of 512 or 1,024 bytes.
  LiveAgent agent(cluster.folder.path(), cluster.Config("[archive]\npath = \"" + archive + "\"\n"),
                  {"/bin/sh", "-c", "ulimit -f 8; exec \"$@\"", "sh"});
  EXPECT_TRUE(agent.WaitForLog("not archived: ")) << agent.log();
  EXPECT_TRUE(agent.WaitForRounds(3));
  EXPECT_TRUE(cluster.Works(0));
  const auto reader = snapshot::ArchiveReader::Open(archive);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_FALSE((*reader)->entries().empty());
}

// Listens where a node should and answers everybody with bytes that mean nothing.
class GarbageNode {
 public:
  explicit GarbageNode(const std::string& path) {
    unlink(path.c_str());
    struct sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    file_ = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(bind(file_, reinterpret_cast<struct sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(listen(file_, 8), 0);
    thread_ = std::thread([this] { Serve(); });
  }
  ~GarbageNode() {
    shutdown(file_, SHUT_RDWR);
    thread_.join();
    close(file_);
  }

 private:
  void Serve() {
    std::string garbage(4096, '\0');
    for (size_t i = 0; i < garbage.size(); ++i) garbage[i] = static_cast<char>(i * 37 + i / 7);
    while (true) {
      const int peer = accept(file_, nullptr, nullptr);
      if (peer < 0) return;
      send(peer, garbage.data(), garbage.size(), MSG_NOSIGNAL);
      close(peer);
    }
  }
  int file_;
  std::thread thread_;
};

// What a limit on files forbids is an error of the command; by default it would be its end.
TEST(LiveFaultTest, ALimitOnTheSizeOfFilesIsAnError) {
  const RunFolder folder;
  const std::string file = folder.path() + "/verdict.json";
  const int status = std::system(
      ("ulimit -f 0; exec " FORETELL_PROGRAM " check tree --json " + file + " >/dev/null 2>&1")
          .c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(LiveFaultTest, ANodeThatAnswersGarbageIsLeftOut) {
  LiveCluster cluster({});
  const std::string path = cluster.folder.path() + "/garbage.sock";
  const GarbageNode garbage(path);
  std::string config = cluster.Config();
  const std::string honest = cluster.folder.path() + "/node2.sock";
  config.replace(config.find(honest), honest.size(), path);
  LiveAgent agent(cluster.folder.path(), config);
  EXPECT_TRUE(agent.WaitForLog("node 2 is left out")) << agent.log();
  EXPECT_TRUE(agent.WaitForRounds(3));
  EXPECT_THAT(agent.log(), testing::Not(HasSubstr("node 0 is left out")));
}

TEST(LiveFaultTest, NodesThatRunOtherCodeAreLeftOut) {
  LiveCluster cluster({.bug = "first-value"});
  std::string config = cluster.Config();
  const std::string bug = "bug = \"first-value\"\n";
  config.erase(config.find(bug), bug.size());
  LiveAgent agent(cluster.folder.path(), config);
  // No node is left, so there is no round with a cut; the log says why.
  EXPECT_TRUE(agent.WaitForLog("rejected"));
  EXPECT_THAT(agent.log(), HasSubstr("its planted bug is 'first-value', ours ''"));
}

TEST(LiveFaultTest, TheKillSwitchWorksByFileSignalAndRpc) {
  LiveCluster cluster({});
  const std::string file = cluster.folder.path() + "/kill";
  const std::string socket = cluster.folder.path() + "/control.sock";
  LiveAgent agent(cluster.folder.path(),
                  cluster.Config("[invariants]\ndefault = \"enforce\"\n[kill_switch]\nfile = \"" +
                                 file + "\"\nsocket = \"" + socket + "\"\n"));
  ASSERT_TRUE(agent.WaitForRounds(1)) << agent.log();
  std::ofstream(file).flush();
  EXPECT_TRUE(agent.WaitForLog("kill switch thrown by file")) << agent.log();
  unlink(file.c_str());
  EXPECT_TRUE(agent.WaitForLog("kill switch released"));
  agent.process().Signal(SIGUSR1);
  EXPECT_TRUE(agent.WaitForLog("kill switch thrown by signal"));
  agent.process().Signal(SIGUSR2);
  EXPECT_TRUE(snapshot::SendKill(socket, "a test", kHang).ok());
  EXPECT_TRUE(agent.WaitForLog("kill switch thrown by RPC: a test")) << agent.log();
  EXPECT_TRUE(snapshot::AskStatus(socket, kHang)->killed);
}

}  // namespace
}  // namespace foretell::live
