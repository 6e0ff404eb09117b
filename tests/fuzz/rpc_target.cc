// Frames of Cap'n Proto RPC, as an agent sends them to a node and a node to its agent.

#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>

#include "foretell.capnp.h"
#include "foretell/snapshot/rpc/server.h"
#include "foretell/snapshot/testing/fake_endpoint.h"
#include "foretell/snapshot/wire/convert.h"
#include "foretell/tests/fuzz/samples.h"
#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {
namespace {

namespace wire = snapshot::wire;

std::string SocketPath() {
  std::string folder = "/tmp/fuzz-rpc-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) std::abort();
  return folder + "/node";
}

// A node that answers everything, for as long as the program runs.
class Node {
 public:
  Node() : path_(SocketPath()), endpoint_(0) {
    snapshot::Address address;
    address.path = path_;
    server_ = *snapshot::RpcServer::Start(address, {}, {.message_bytes_max = 1 << 20}, endpoint_,
                                          nullptr);
  }
  ~Node() {
    server_.reset();
    rmdir(path_.substr(0, path_.rfind('/')).c_str());
  }

  // Sends `bytes` and nothing more, and waits until the node has hung up.
  void Talk(const std::string& bytes) const {
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    path_.copy(name.sun_path, sizeof(name.sun_path) - 1);
    if (connect(file, reinterpret_cast<const sockaddr*>(&name), sizeof(name)) == 0) {
      static_cast<void>(!send(file, bytes.data(), bytes.size(), MSG_NOSIGNAL));
      shutdown(file, SHUT_WR);
      char buffer[4096];
      while (recv(file, buffer, sizeof(buffer), 0) > 0) {
      }
    }
    close(file);
  }

 private:
  const std::string path_;
  snapshot::FakeEndpoint endpoint_;
  std::unique_ptr<snapshot::RpcServer> server_;
};

template <class Fill>
std::string RpcMessage(Fill&& fill) {
  capnp::MallocMessageBuilder message;
  fill(message.initRoot<capnp::rpc::Message>());
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
  const kj::ArrayPtr<const char> chars = words.asChars();
  return std::string(chars.begin(), chars.size());
}

std::string Bootstrap() {
  return RpcMessage([](auto message) { message.initBootstrap().setQuestionId(0); });
}

// A call of what Bootstrap will answer with.
template <class Params, class Fill>
std::string Call(uint32_t question, uint16_t method, Fill&& fill) {
  return RpcMessage([&](auto message) {
    auto call = message.initCall();
    call.setQuestionId(question);
    call.initTarget().initPromisedAnswer().setQuestionId(0);
    call.setInterfaceId(capnp::typeId<wire::Node>());
    call.setMethodId(method);
    fill(call.initParams().getContent().template initAs<Params>());
  });
}

std::string Hello() {
  return Bootstrap() + Call<wire::Node::HelloParams>(1, 0, [](auto params) {
           params.setProtocol(snapshot::kProtocolVersion);
           params.setAgent("fuzz");
         });
}

}  // namespace

void RunRpc(const std::string& bytes) {
  static const Node node;
  node.Talk(bytes);
}

std::vector<std::string> RpcSeeds() {
  const auto with = [](const std::string& call) { return Hello() + call; };
  return {
      Hello(),
      with(Call<wire::Node::CheckpointParams>(2, 1, [](auto params) { params.setNumber(3); })),
      with(Call<wire::Node::SetFiltersParams>(
          2, 2, [](auto params) { snapshot::Put(SampleFilter(), params.initFilters(1)[0]); })),
      with(Call<wire::Node::SetSafetyCutParams>(
          2, 3,
          [](auto params) {
            snapshot::Put(snapshot::SafetyCut{.number = 1, .cut = SampleCut()}, params.initCut());
          })),
      with(Call<wire::Node::CountersParams>(2, 4, [](auto) {})),
      with(Call<wire::Node::ListenParams>(2, 5, [](auto) {})),
      with(Call<wire::Node::GuardParams>(2, 6,
                                         [](auto params) {
                                           snapshot::Put(snapshot::GuardTerms{{"agreement"}},
                                                         params.initTerms());
                                         })),
      with(Call<wire::Node::IntroduceParams>(2, 7, [](auto params) { params.initAgent(); })),
      with(Call<wire::Node::AdoptParams>(2, 8, [](auto params) { params.setLife("17-"); })),
      with(RpcMessage([](auto message) { message.initFinish().setQuestionId(1); })),
  };
}

}  // namespace foretell::fuzz
