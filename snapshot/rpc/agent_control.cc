#include "foretell/snapshot/rpc/agent_control.h"

#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/rpc/acceptor.h"
#include "foretell/snapshot/rpc/link.h"
#include "foretell/snapshot/rpc/loop.h"
#include "foretell/snapshot/rpc/status.h"

namespace foretell::snapshot {
namespace {

// Requests are a line of text each, answers at most a page.
constexpr RpcLimits kLimits{.message_bytes_max = 1 << 20};

Address UnixAddress(const std::string& path) {
  Address address;
  address.path = path;
  return address;
}

class AgentServer final : public wire::Agent::Server {
 public:
  AgentServer(ControlHandler& handler, RpcConnection& connection)
      : handler_(handler), connection_(std::make_shared<RpcConnection*>(&connection)) {
    connection.OnEnd([kept = connection_] { *kept = nullptr; });
  }

  kj::Promise<void> kill(KillContext context) override {
    Greet();
    handler_.Kill(context.getParams().getReason().cStr());
    return kj::READY_NOW;
  }
  kj::Promise<void> revive(ReviveContext) override {
    Greet();
    handler_.Revive();
    return kj::READY_NOW;
  }
  kj::Promise<void> status(StatusContext context) override {
    Greet();
    const ControlStatus status = handler_.Status();
    auto results = context.getResults();
    results.setKilled(status.killed);
    results.setRounds(status.rounds);
    results.setReason(status.reason.c_str());
    results.setText(status.text.c_str());
    results.setJson(status.json.c_str());
    return kj::READY_NOW;
  }

 private:
  // There is no hello: whoever calls speaks our protocol.
  void Greet() {
    if (*connection_ != nullptr) (*connection_)->Greeted();
  }

  ControlHandler& handler_;
  const std::shared_ptr<RpcConnection*> connection_;
};

class Server : public ControlServer {
 public:
  explicit Server(std::unique_ptr<RpcLoop> loop) : loop_(std::move(loop)) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() override {
    // Nothing in there fails.
    static_cast<void>(loop_->Run([this] {
      acceptor_.reset();
      return absl::OkStatus();
    }));
  }

  absl::Status Open(const std::string& path, ControlHandler& handler) {
    return loop_->Await([&] {
      return Listen(*loop_, UnixAddress(path)).then([&](absl::StatusOr<Listening> listening) {
        if (!listening.ok()) return listening.status();
        const auto serve = [&handler](RpcConnection& connection) {
          return capnp::Capability::Client(kj::heap<AgentServer>(handler, connection));
        };
        acceptor_ = std::make_unique<RpcAcceptor>(*loop_, kj::mv(*listening), nullptr, kLimits,
                                                  serve, nullptr);
        return absl::OkStatus();
      });
    });
  }

 private:
  std::unique_ptr<RpcLoop> loop_;
  std::unique_ptr<RpcAcceptor> acceptor_;  // On the loop's thread.
};

// Connects, and waits for what `ask` promises.
absl::Status Ask(const std::string& path, std::chrono::milliseconds timeout,
                 const std::function<kj::Promise<void>(wire::Agent::Client)>& ask) {
  absl::StatusOr<std::unique_ptr<RpcLoop>> loop = RpcLoop::Start();
  if (!loop.ok()) return loop.status();
  const absl::Status status = (*loop)->Await([&] {
    auto late = (*loop)->timer().afterDelay(timeout.count() * kj::MILLISECONDS).then([timeout] {
      return absl::DeadlineExceededError(absl::StrCat("no answer within ", timeout.count(), " ms"));
    });
    return Connect(**loop, UnixAddress(path))
        .then([&ask](kj::Own<kj::AsyncIoStream> stream) {
          auto link = RpcLink::Use(kj::mv(stream), kLimits);
          return ask(link->Root().castAs<wire::Agent>()).attach(kj::mv(link));
        })
        .then([] { return absl::OkStatus(); })
        .exclusiveJoin(kj::mv(late));
  });
  return Annotate(status, absl::StrCat("agent at ", path));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ControlServer>> ControlServer::Start(const std::string& path,
                                                                    ControlHandler& handler) {
  absl::StatusOr<std::unique_ptr<RpcLoop>> loop = RpcLoop::Start();
  if (!loop.ok()) return loop.status();
  auto server = std::make_unique<Server>(std::move(*loop));
  const absl::Status status = server->Open(path, handler);
  if (!status.ok()) return status;
  return server;
}

absl::Status SendKill(const std::string& path, const std::string& reason,
                      std::chrono::milliseconds timeout) {
  return Ask(path, timeout, [&reason](wire::Agent::Client agent) {
    auto request = agent.killRequest();
    request.setReason(reason.c_str());
    return request.send().ignoreResult();
  });
}

absl::Status SendRevive(const std::string& path, std::chrono::milliseconds timeout) {
  return Ask(path, timeout,
             [](wire::Agent::Client agent) { return agent.reviveRequest().send().ignoreResult(); });
}

absl::StatusOr<ControlStatus> AskStatus(const std::string& path,
                                        std::chrono::milliseconds timeout) {
  ControlStatus result;
  const absl::Status status = Ask(path, timeout, [&result](wire::Agent::Client agent) {
    return agent.statusRequest().send().then([&result](auto&& response) {
      result.killed = response.getKilled();
      result.rounds = response.getRounds();
      result.reason = response.getReason().cStr();
      result.text = response.getText().cStr();
      result.json = response.getJson().cStr();
    });
  });
  if (!status.ok()) return status;
  return result;
}

}  // namespace foretell::snapshot
