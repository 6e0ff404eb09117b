#include "foretell/snapshot/rpc/server.h"

#include <utility>

#include "foretell/snapshot/rpc/acceptor.h"
#include "foretell/snapshot/rpc/node.h"
#include "foretell/snapshot/rpc/tls.h"

namespace foretell::snapshot {
namespace {

class Server : public RpcServer {
 public:
  explicit Server(std::unique_ptr<RpcLoop> loop) : loop_(std::move(loop)) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() override {
    // Nothing in there fails.
    static_cast<void>(loop_->Run([this] {
      acceptor_.reset();
      service_.reset();
      return absl::OkStatus();
    }));
  }

  absl::Status Open(const Address& address, const TlsFiles& tls, const RpcLimits& limits,
                    NodeEndpoint& endpoint, RpcLog log);
  Address address() const override { return address_; }

 private:
  std::unique_ptr<RpcLoop> loop_;
  Address address_;
  // On the loop's thread.
  std::unique_ptr<NodeService> service_;
  std::unique_ptr<RpcAcceptor> acceptor_;
};

absl::Status Server::Open(const Address& address, const TlsFiles& tls, const RpcLimits& limits,
                          NodeEndpoint& endpoint, RpcLog log) {
  auto context = LoadTls(address, tls);
  if (!context.ok()) return context.status();
  return loop_->Await([&] {
    return Listen(*loop_, address).then([&](absl::StatusOr<Listening> listening) {
      if (!listening.ok()) return listening.status();
      address_ = listening->address;
      service_.reset(new NodeService{endpoint, limits, *loop_});
      const auto serve = [service = service_.get()](RpcConnection& connection) {
        return capnp::Capability::Client(ServeNode(*service, connection));
      };
      acceptor_ = std::make_unique<RpcAcceptor>(*loop_, kj::mv(*listening), kj::mv(*context),
                                                limits, serve, std::move(log));
      return absl::OkStatus();
    });
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<RpcServer>> RpcServer::Start(const Address& address,
                                                            const TlsFiles& tls,
                                                            const RpcLimits& limits,
                                                            NodeEndpoint& endpoint, RpcLog log) {
  absl::StatusOr<std::unique_ptr<RpcLoop>> loop = RpcLoop::Start();
  if (!loop.ok()) return loop.status();
  auto server = std::make_unique<Server>(std::move(*loop));
  const absl::Status status = server->Open(address, tls, limits, endpoint, std::move(log));
  if (!status.ok()) return status;
  return server;
}

}  // namespace foretell::snapshot
