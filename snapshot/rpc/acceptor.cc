#include "foretell/snapshot/rpc/acceptor.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/rpc/link.h"
#include "foretell/snapshot/rpc/status.h"
#include "foretell/snapshot/rpc/tls.h"

namespace foretell::snapshot {
namespace {

// After accept() itself has failed, as it does if there are no descriptors left.
constexpr kj::Duration kAcceptPause = 100 * kj::MILLISECONDS;
constexpr uint64_t kLinesPerSecond = 10;

}  // namespace

class RpcAcceptor::Connection : public RpcConnection {
 public:
  explicit Connection(std::string peer) : Connection(std::move(peer), Signal(), Signal()) {}
  ~Connection() noexcept(false) override {
    link_ = nullptr;
    if (ended_ != nullptr) ended_();
  }

  void Greeted() override { greeted_.fulfiller->fulfill(); }
  void Close(const std::string& why) override { closed_.fulfiller->reject(LostConnection(why)); }
  size_t queued() override {
    KJ_IF_MAYBE (link, link_) return (*link)->queued();
    return 0;
  }
  void OnEnd(std::function<void()> ended) override { ended_ = std::move(ended); }

  const std::string& peer() const { return peer_; }
  kj::Promise<void> OnGreeted() { return kj::mv(greeted_.promise); }
  kj::Promise<void> OnClosed() { return kj::mv(closed_.promise); }
  RpcLink& Open(kj::Own<RpcLink> link) { return *link_.emplace(kj::mv(link)); }

 private:
  using Pair = kj::PromiseFulfillerPair<void>;
  static Pair Signal() { return kj::newPromiseAndFulfiller<void>(); }
  Connection(std::string peer, Pair greeted, Pair closed)
      : peer_(std::move(peer)), greeted_(kj::mv(greeted)), closed_(kj::mv(closed)) {}

  const std::string peer_;
  Pair greeted_;
  Pair closed_;
  std::function<void()> ended_;
  kj::Maybe<kj::Own<RpcLink>> link_;
};

RpcAcceptor::RpcAcceptor(RpcLoop& loop, Listening listening, kj::Maybe<kj::Own<kj::TlsContext>> tls,
                         const RpcLimits& limits, Serve serve, RpcLog log)
    : loop_(loop),
      listening_(kj::mv(listening)),
      tls_(kj::mv(tls)),
      limits_(limits),
      serve_(std::move(serve)),
      log_(std::move(log)),
      log_budget_(kLinesPerSecond),
      tasks_(*this) {
  tasks_.add(AcceptAll());
}

RpcAcceptor::~RpcAcceptor() noexcept(false) = default;

kj::Promise<void> RpcAcceptor::AcceptAll() {
  return listening_.receiver->acceptAuthenticated()
      .then([this](kj::AuthenticatedStream stream) { Admit(kj::mv(stream)); })
      .catch_([this](kj::Exception&& e) {
        Log(absl::StrCat("accept: ", ToStatus(e).message()));
        return loop_.timer().afterDelay(kAcceptPause);
      })
      .then([this] { return AcceptAll(); });
}

void RpcAcceptor::Admit(kj::AuthenticatedStream stream) {
  const std::string peer = stream.peerIdentity->toString().cStr();
  if (connections_.size() >= limits_.connections_max) {
    Log(absl::StrCat("refused ", peer, ": there are ", connections_.size(), " connections, limit ",
                     limits_.connections_max));
    return;
  }
  const Key key = next_++;
  auto& connection = connections_[key];
  connection = kj::heap<Connection>(peer);
  auto late =
      loop_.timer()
          .afterDelay(limits_.greeting_time.count() * kj::MILLISECONDS)
          .then([]() -> kj::Promise<void> { return LostConnection("no greeting in time"); });
  auto in_time = connection->OnGreeted().exclusiveJoin(kj::mv(late)).then([]() {
    return kj::Promise<void>(kj::NEVER_DONE);
  });
  auto served = kj::evalNow([&] { return Handshake(key, kj::mv(stream.stream)); });
  tasks_.add(served.exclusiveJoin(connection->OnClosed())
                 .exclusiveJoin(kj::mv(in_time))
                 .then([] {},
                       [this, peer](kj::Exception&& e) {
                         Log(absl::StrCat("closed ", peer, ": ", ToStatus(e).message()));
                       })
                 .then([this, key] { connections_.erase(key); }));
}

kj::Promise<void> RpcAcceptor::Handshake(Key key, kj::Own<kj::AsyncIoStream> stream) {
  WatchPeer(*stream, listening_.address);
  KJ_IF_MAYBE (tls, tls_) {
    return (*tls)
        ->wrapServer(kj::mv(stream))
        .catch_([](kj::Exception&& e) -> kj::Promise<kj::Own<kj::AsyncIoStream>> {
          return LostConnection(ExplainTls(e.getDescription().cStr()));
        })
        .then([this, key](kj::Own<kj::AsyncIoStream> wrapped) {
          return ServeOn(key, kj::mv(wrapped));
        });
  }
  return ServeOn(key, kj::mv(stream));
}

kj::Promise<void> RpcAcceptor::ServeOn(Key key, kj::Own<kj::AsyncIoStream> stream) {
  Connection& connection = *connections_.at(key);
  return connection.Open(RpcLink::Serve(kj::mv(stream), limits_, serve_(connection)))
      .OnDisconnect();
}

void RpcAcceptor::Log(const std::string& line) {
  if (log_ == nullptr) return;
  const auto now = loop_.Now();
  if (log_budget_.Empty(now)) {
    ++lines_left_out_;
    return;
  }
  log_budget_.Take(1, now);
  const uint64_t left_out = std::exchange(lines_left_out_, 0);
  log_(left_out == 0 ? line : absl::StrCat(line, " (", left_out, " more lines left out)"));
}

void RpcAcceptor::taskFailed(kj::Exception&& exception) {
  Log(absl::StrCat("failed: ", ToStatus(exception).message()));
}

}  // namespace foretell::snapshot
