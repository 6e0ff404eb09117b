#include "foretell/integration/sdk/net/client_port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "foretell/integration/sdk/testing/cluster.h"
#include "foretell/integration/sdk/testing/relay.h"
#include "foretell/integration/sdk/testing/socket.h"

namespace foretell::integration::sdk {
namespace {

using testing::Cluster;
using testing::MakeRelay;
using testing::Socket;
using ::testing::StartsWith;

class ClientPortTest : public ::testing::Test {
 protected:
  ClientPortTest() {
    cluster_.StartAll([](HostOptions& options) { options.client = "127.0.0.1:0"; });
  }
  std::unique_ptr<Socket> Client() {
    return std::make_unique<Socket>(SOCK_STREAM, cluster_.host(0).client_address());
  }

  std::unique_ptr<model::Service> service_ = MakeRelay({});
  Cluster cluster_{*service_};
};

TEST_F(ClientPortTest, AnswersLines) {
  const auto client = Client();
  client->Send("call Lock\r\nprojections\n");
  EXPECT_EQ(client->Line(), "ok Lock()");
  EXPECT_EQ(client->Line(), "one-lock 01");
  EXPECT_EQ(client->Line(), ".");
  // A line may come in pieces.
  client->Send("call S");
  client->Send("ay\n");
  EXPECT_THAT(client->Line(), StartsWith("ok Say"));
}

TEST_F(ClientPortTest, ServesManyClients) {
  std::vector<std::unique_ptr<Socket>> clients;
  for (int i = 0; i < 50; ++i) clients.push_back(Client());
  for (const auto& client : clients) client->Send("call Say\n");
  for (const auto& client : clients) EXPECT_THAT(client->Line(), StartsWith("ok Say"));
}

TEST_F(ClientPortTest, LimitsLines) {
  const auto client = Client();
  client->Send(std::string(5000, 'x'));
  EXPECT_THAT(client->Line(), StartsWith("error a line may have 4096 bytes"));
  EXPECT_EQ(client->Line(), "closed");
  EXPECT_TRUE(cluster_.Await(0, "stats", "\nlines-refused 1\n"));
}

TEST_F(ClientPortTest, LimitsClients) {
  std::vector<std::unique_ptr<Socket>> clients;
  for (size_t i = 0; i < ClientPort::kClientsMax; ++i) {
    clients.push_back(Client());
    clients.back()->Send("call Say\n");
    EXPECT_THAT(clients.back()->Line(), StartsWith("ok"));
  }
  EXPECT_EQ(Client()->Line(), "error too many clients");
  clients.pop_back();
  EXPECT_TRUE(cluster_.Await(0, "stats", "\nclients-refused 1\n"));
}

TEST_F(ClientPortTest, ASilentReaderHoldsNobodyUp) {
  const auto slow = Client();
  std::string requests;
  for (int i = 0; i < 20000; ++i) requests += "stats\n";
  // It never reads: its answers fill the buffers on the way, and then it is not heard any more.
  std::thread sender([&] { slow->Send(requests.substr(0, 60000)); });
  const auto quick = Client();
  for (int i = 0; i < 20; ++i) {
    quick->Send("call Say\n");
    EXPECT_THAT(quick->Line(), StartsWith("ok Say"));
  }
  sender.join();
}

TEST_F(ClientPortTest, QuestionsAreAnswered) {
  const auto client = Client();
  client->Send("call Keep(value=3)\nask kept\nask who are you\n");
  EXPECT_EQ(client->Line(), "ok Keep(value=3)");
  EXPECT_EQ(client->Line(), "ok 3");
  EXPECT_EQ(client->Line(), "error 'who are you' is not a question that this service answers");
}

TEST_F(ClientPortTest, ClientsMayLeaveAtAnyTime) {
  for (int i = 0; i < 20; ++i) Client()->Send("call Say\nstate\ncall S");
  EXPECT_TRUE(cluster_.Await(0, "state", "count = 20\n"));
}

}  // namespace
}  // namespace foretell::integration::sdk
