// Peers that are broken, of another version, or hostile. Whatever they do costs their own answer.

#include <capnp/any.h>
#include <capnp/message.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <kj/vector.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include "foretell/model/hash.h"
#include "foretell/snapshot/rpc/acceptor.h"
#include "foretell/snapshot/rpc/client.h"
#include "foretell/snapshot/rpc/link.h"
#include "foretell/snapshot/rpc/loop.h"
#include "foretell/snapshot/rpc/server.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/testing/fake_endpoint.h"
#include "foretell/snapshot/testing/rpc_fixture.h"
#include "foretell/snapshot/wire/convert.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace foretell::snapshot {
namespace {

using absl::StatusCode;
using testing::HasSubstr;

sockaddr_un Name(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  memcpy(name.sun_path, path.data(), path.size());
  return name;
}

std::string Garbage(size_t size) {
  std::mt19937 random(17);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

// The frame of a message with one segment of `words` words, of which none follows.
std::string FrameOf(uint32_t words) {
  const uint32_t header[] = {0, words};
  return std::string(reinterpret_cast<const char*>(header), sizeof(header));
}

// Listens on a socket and sends `bytes` to whoever connects; keeps all connections open.
class RawServer {
 public:
  RawServer(const std::string& path, std::string bytes)
      : bytes_(std::move(bytes)), fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_un name = Name(path);
    EXPECT_EQ(bind(fd_, reinterpret_cast<const sockaddr*>(&name), sizeof(name)), 0);
    EXPECT_EQ(listen(fd_, 8), 0);
    thread_ = std::thread([this] {
      int peer = -1;
      while ((peer = accept(fd_, nullptr, nullptr)) >= 0) {
        static_cast<void>(!send(peer, bytes_.data(), bytes_.size(), MSG_NOSIGNAL));
        peers_.push_back(peer);
      }
    });
  }
  ~RawServer() {
    shutdown(fd_, SHUT_RDWR);
    thread_.join();
    close(fd_);
    for (const int peer : peers_) close(peer);
  }

 private:
  const std::string bytes_;
  const int fd_;
  std::vector<int> peers_;
  std::thread thread_;
};

// A connection to our server, without any protocol.
class RawClient {
 public:
  explicit RawClient(const Address& address) : fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_un name = Name(address.path);
    EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&name), sizeof(name)), 0);
  }
  ~RawClient() { close(fd_); }
  void Send(const std::string& bytes) const {
    static_cast<void>(!send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
  }
  void End() const { shutdown(fd_, SHUT_WR); }
  // Waits until the server has closed the connection.
  void AwaitEnd() const {
    char buffer[4096];
    while (recv(fd_, buffer, sizeof(buffer), 0) > 0) {
    }
  }

 private:
  const int fd_;
};

// A node that speaks the protocol but says what a test wants it to say.
class WireNode final : public wire::Node::Server {
 public:
  using Reply = std::function<void(wire::Node::CheckpointResults::Builder)>;
  WireNode(uint32_t protocol, Reply reply) : protocol_(protocol), reply_(std::move(reply)) {}
  kj::Promise<void> hello(HelloContext context) override {
    context.getResults().initInfo().setProtocol(protocol_);
    return kj::READY_NOW;
  }
  kj::Promise<void> checkpoint(CheckpointContext context) override {
    reply_(context.getResults());
    return kj::READY_NOW;
  }

 private:
  const uint32_t protocol_;
  const Reply reply_;
};

class WireServer {
 public:
  WireServer(const Address& address, uint32_t protocol, WireNode::Reply reply)
      : loop_(std::move(*RpcLoop::Start())) {
    EXPECT_EQ(loop_->Await([&] {
      return Listen(*loop_, address).then([&](absl::StatusOr<Listening> listening) {
        acceptor_ = std::make_unique<RpcAcceptor>(
            *loop_, kj::mv(*listening), nullptr, RpcLimits{},
            [=](RpcConnection&) {
              return capnp::Capability::Client(kj::heap<WireNode>(protocol, reply));
            },
            nullptr);
        return absl::OkStatus();
      });
    }),
              absl::OkStatus());
  }
  ~WireServer() {
    EXPECT_TRUE(loop_
                    ->Run([this] {
                      acceptor_.reset();
                      return absl::OkStatus();
                    })
                    .ok());
  }

 private:
  std::unique_ptr<RpcLoop> loop_;
  std::unique_ptr<RpcAcceptor> acceptor_;
};

// Node 0 is what a test puts there; node 1 is a good one that must not suffer.
class HostileServerTest : public testing::Test {
 protected:
  // `silent`: node 0 is not expected to answer.
  absl::Status Ask(bool silent = false) {
    const auto good = StartServer(folder_.Socket(1), endpoint_);
    const auto client = StartClient({folder_.Socket(0), folder_.Socket(1)});
    const std::vector<CheckpointReply> replies =
        silent ? CollectDespiteSilence(*client, 1, {1}) : client->Collect(1, kLong);
    EXPECT_TRUE(replies[1].checkpoint.ok()) << replies[1].checkpoint.status();
    return replies[0].checkpoint.status();
  }

  TempFolder folder_;
  FakeEndpoint endpoint_{1};
};

TEST_F(HostileServerTest, Garbage) {
  const RawServer server(folder_.File("node0"), Garbage(10'000));
  const absl::Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status;
}

TEST_F(HostileServerTest, AMessageThatIsTooLarge) {
  const RawServer server(folder_.File("node0"), FrameOf(1 << 28));
  const absl::Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted) << status;
}

TEST_F(HostileServerTest, AMessageOfZeros) {
  const RawServer server(folder_.File("node0"), FrameOf(100) + std::string(800, '\0'));
  EXPECT_FALSE(Ask(/*silent=*/true).ok());
}

TEST_F(HostileServerTest, APointerToNowhere) {
  const RawServer server(folder_.File("node0"), FrameOf(4) + std::string(32, '\x7f'));
  const absl::Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status;
}

TEST_F(HostileServerTest, Silence) {
  const RawServer server(folder_.File("node0"), "");
  const absl::Status status = Ask(/*silent=*/true);
  EXPECT_EQ(status.code(), StatusCode::kDeadlineExceeded) << status;
}

TEST_F(HostileServerTest, AnotherProtocol) {
  const WireServer server(folder_.Socket(0), 99, [](auto) {});
  const absl::Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("speaks protocol 99, this agent speaks protocol 1"));
}

TEST_F(HostileServerTest, AnEmptyReply) {
  const WireServer server(folder_.Socket(0), kProtocolVersion, [](auto) {});
  const absl::Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status;
}

TEST_F(HostileServerTest, ACorruptDelta) {
  const WireServer server(folder_.Socket(0), kProtocolVersion, [](auto reply) {
    const std::string bytes = "no delta at all";
    auto packed = reply.initCheckpoint();
    packed.setSize(100);
    packed.setZstdDelta({reinterpret_cast<const kj::byte*>(bytes.data()), bytes.size()});
  });
  const absl::Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status;
}

TEST_F(HostileServerTest, AWrongHash) {
  const std::string bytes(800, 'x');
  const WireServer server(folder_.Socket(0), kProtocolVersion, [&bytes](auto reply) {
    const std::string zstd = Compress(bytes);
    auto packed = reply.initCheckpoint();
    packed.setHash(12345);
    packed.setSize(bytes.size());
    packed.setZstd({reinterpret_cast<const kj::byte*>(zstd.data()), zstd.size()});
  });
  const absl::Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("12345"));
  EXPECT_THAT(status.ToString(), HasSubstr(std::to_string(model::HashBytes(bytes))));
}

TEST_F(HostileServerTest, AnUnknownRefusal) {
  const WireServer server(folder_.Socket(0), kProtocolVersion,
                          [](auto reply) { reply.setRefusal(static_cast<wire::Refusal>(77)); });
  const absl::Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("77"));
}

// Our server, and a good client that must not suffer.
class HostileClientTest : public testing::Test {
 protected:
  HostileClientTest()
      : server_(StartServer(folder_.Socket(0), endpoint_, limits_, {}, log_.Sink())) {}
  void ExpectServed() {
    const auto client = StartClient({server_->address()});
    const CheckpointReply reply = CollectUntilUp(*client, 1, 0);
    EXPECT_TRUE(reply.checkpoint.ok()) << reply.checkpoint.status();
  }
  // Connects with the real protocol and waits for what `talk` promises.
  absl::Status Talk(const std::function<kj::Promise<void>(wire::Node::Client)>& talk) {
    auto loop = std::move(*RpcLoop::Start());
    return loop->Await([&] {
      return Connect(*loop, server_->address()).then([&](kj::Own<kj::AsyncIoStream> stream) {
        auto link = RpcLink::Use(kj::mv(stream), limits_);
        return talk(link->Root().castAs<wire::Node>())
            .then([] { return absl::OkStatus(); })
            .attach(kj::mv(link));
      });
    });
  }

  const RpcLimits limits_{.message_bytes_max = 1 << 20, .connections_max = 2};
  TempFolder folder_;
  Log log_;
  FakeEndpoint endpoint_{0};
  std::unique_ptr<RpcServer> server_;
};

TEST_F(HostileClientTest, GarbageEndsItsOwnConnection) {
  const auto good = StartClient({server_->address()});
  EXPECT_TRUE(good->Collect(1, kLong)[0].checkpoint.ok());
  const RawClient raw(server_->address());
  raw.Send(Garbage(100'000));
  raw.AwaitEnd();
  EXPECT_TRUE(good->Collect(2, kLong)[0].unchanged);
}

TEST_F(HostileClientTest, AMessageThatIsTooLargeEndsItsOwnConnection) {
  const RawClient raw(server_->address());
  raw.Send(FrameOf(1 << 20));
  raw.AwaitEnd();
  ExpectServed();
}

TEST_F(HostileClientTest, ManyGarbageConnectionsInARow) {
  for (int i = 0; i < 50; ++i) {
    const RawClient raw(server_->address());
    raw.Send(Garbage(static_cast<size_t>(20 + i)));
    raw.AwaitEnd();
  }
  ExpectServed();
}

TEST_F(HostileClientTest, TooManyConnectionsAreRefused) {
  auto first = std::make_unique<RawClient>(server_->address());
  const RawClient second(server_->address());
  const RawClient third(server_->address());
  third.AwaitEnd();
  EXPECT_THAT(log_.Await("limit 2"), HasSubstr("there are 2 connections, limit 2"));
  first.reset();
  ExpectServed();
}

TEST_F(HostileClientTest, AnotherProtocolIsNamed) {
  const absl::Status status = Talk([](wire::Node::Client node) {
    auto request = node.helloRequest();
    request.setProtocol(99);
    request.setAgent("from the future");
    return request.send().ignoreResult();
  });
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("agent from the future speaks protocol 99, node 0 "
                                           "speaks protocol 1"));
}

TEST_F(HostileClientTest, HelloComesFirst) {
  const absl::Status status =
      Talk([](wire::Node::Client node) { return node.countersRequest().send().ignoreResult(); });
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition) << status;
}

kj::Promise<void> Hello(wire::Node::Client& node) {
  auto request = node.helloRequest();
  request.setProtocol(kProtocolVersion);
  return request.send().ignoreResult();
}

TEST_F(HostileClientTest, CallsWithoutEndAreRefused) {
  endpoint_.SetManner(FakeEndpoint::Manner::kHold);
  const absl::Status status = Talk([](wire::Node::Client node) {
    return Hello(node).then([node]() mutable {
      kj::Vector<kj::Promise<void>> calls;
      for (int i = 0; i < 64; ++i) calls.add(node.checkpointRequest().send().ignoreResult());
      auto refused = node.checkpointRequest().send().ignoreResult();
      return refused.attach(kj::mv(calls));
    });
  });
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted) << status;
  endpoint_.AwaitHeld(1);
  endpoint_.SetManner(FakeEndpoint::Manner::kAnswer);
  ExpectServed();
}

TEST_F(HostileClientTest, APeerThatDoesNotReadIsDropped) {
  endpoint_.SetBody(Garbage(500'000));
  // In one turn of the server's loop no reply is in its queue before the last is made.
  constexpr int kOthers = 50;
  endpoint_.AnswerTogether(1 + kOthers);
  // Ends with or without the first reply: the server does not wait for us.
  static_cast<void>(Talk([this](wire::Node::Client node) {
    return Hello(node).then([this, node]() mutable {
      auto first = node.checkpointRequest().send();
      kj::Vector<kj::Promise<void>> others;
      for (int i = 0; i < kOthers; ++i) {
        others.add(node.checkpointRequest().send().ignoreResult());
      }
      // Keeps this side's loop from reading.
      return first.then([this](auto&&) { log_.Await("unread"); }).attach(kj::mv(others));
    });
  }));
  EXPECT_THAT(log_.Await("unread"), HasSubstr("bytes of replies unread"));
  ExpectServed();
}

// The bytes of a message that `fill` fills.
template <class F>
std::string RpcMessage(F&& fill) {
  capnp::MallocMessageBuilder message;
  fill(message.initRoot<capnp::rpc::Message>());
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
  const kj::ArrayPtr<const char> chars = words.asChars();
  return std::string(chars.begin(), chars.size());
}

// Cap'n Proto sends back what it does not know, without asking us.
TEST_F(HostileClientTest, APeerThatDoesNotReadEchoesIsDropped) {
  const std::string unknown = RpcMessage([](capnp::rpc::Message::Builder message) {
    message.initObsoleteSave().initAs<capnp::Data>(100'000);
  });
  const RawClient raw(server_->address());
  for (int i = 0; i < 50; ++i) raw.Send(unknown);
  EXPECT_THAT(log_.Await("unread"), HasSubstr("bytes of replies unread, limit 1048576"));
  ExpectServed();
}

TEST_F(HostileClientTest, APeerThatDoesNotReadShortAnswersIsDropped) {
  const RawClient raw(server_->address());
  for (uint32_t question = 0; question < 20'000; ++question) {
    raw.Send(RpcMessage([&](auto message) { message.initBootstrap().setQuestionId(question); }));
  }
  EXPECT_THAT(log_.Await("unread"), HasSubstr("replies unread, limit 1024"));
  ExpectServed();
}

// One that reads, but never stops asking: others get their turn.
TEST_F(HostileClientTest, APeerThatAsksWithoutEndDoesNotKeepOthersWaiting) {
  std::string asking;
  for (uint32_t question = 0; question < 1000; ++question) {
    asking += RpcMessage([&](auto message) { message.initBootstrap().setQuestionId(question); });
    asking += RpcMessage([&](auto message) { message.initFinish().setQuestionId(question); });
  }
  std::atomic<bool> enough = false;
  const RawClient raw(server_->address());
  std::thread asks([&] {
    while (!enough) raw.Send(asking);
    raw.End();
  });
  std::thread reads([&] { raw.AwaitEnd(); });
  ExpectServed();
  enough = true;
  asks.join();
  reads.join();
}

TEST_F(HostileClientTest, AListOfNothingIsRefusedBeforeItTakesMemory) {
  const absl::Status status = Talk([](wire::Node::Client node) {
    return Hello(node).then([node]() mutable {
      auto request = node.setFiltersRequest();
      wire::Node::SetFiltersParams::Builder& params = request;
      capnp::AnyStruct::Builder any = capnp::toAny(params);
      any.getPointerSection()[0].initAs<capnp::List<capnp::Void>>(100'000);
      return request.send().ignoreResult();
    });
  });
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("100000 filters, at most 1024"));
  ExpectServed();
}

TEST_F(HostileClientTest, ASilentPeerIsDropped) {
  RpcLimits limits = limits_;
  limits.greeting_time = std::chrono::milliseconds(20);
  const auto server = StartServer(folder_.Socket(1), endpoint_, limits, {}, log_.Sink());
  const RawClient raw(server->address());
  raw.AwaitEnd();
  EXPECT_THAT(log_.Await("greeting"), HasSubstr("no greeting in time"));
}

TEST_F(HostileClientTest, FiltersThatMakeNoSenseDoNotReachTheNode) {
  const absl::Status status = Talk([](wire::Node::Client node) {
    return Hello(node).then([node]() mutable {
      auto request = node.setFiltersRequest();
      request.initFilters(1)[0].setKind(static_cast<wire::FilterKind>(50));
      return request.send().ignoreResult();
    });
  });
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status;
  EXPECT_TRUE(endpoint_.filters().empty());
}

TEST_F(HostileClientTest, OurOwnObjectAsAListener) {
  EXPECT_TRUE(Talk([](wire::Node::Client node) {
                return Hello(node).then([node]() mutable {
                  auto request = node.listenRequest();
                  request.setListener(capnp::Capability::Client(node).castAs<wire::Listener>());
                  return request.send().ignoreResult();
                });
              }).ok());
  endpoint_.AwaitNoListener();
  ExpectServed();
}

}  // namespace
}  // namespace foretell::snapshot
