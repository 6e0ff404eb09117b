#include "foretell/snapshot/rpc/peer.h"

#include <algorithm>
#include <utility>

#include "foretell/snapshot/rpc/socket.h"
#include "foretell/snapshot/rpc/tls.h"
#include "foretell/snapshot/wire/convert.h"

namespace foretell::snapshot {
namespace {

constexpr kj::Duration kBackoffMin = 50 * kj::MILLISECONDS;
constexpr kj::Duration kBackoffMax = 1 * kj::SECONDS;
// From the connection to the node's greeting; a node that hangs there is tried again.
constexpr kj::Duration kAttemptTime = 5 * kj::SECONDS;
// From a lapse of the guard to the next attempt: each may cost the node one hold.
constexpr kj::Duration kGuardPauseMin = 100 * kj::MILLISECONDS;
constexpr kj::Duration kGuardPauseMax = 5 * kj::SECONDS;

// Takes the hints of a node. Outlives no session, and so not the client.
class Ear final : public wire::Listener::Server {
 public:
  Ear(const RpcClient::Options& options, model::NodeId node) : options_(options), node_(node) {}
  kj::Promise<void> interesting(InterestingContext) override {
    if (options_.interesting != nullptr) options_.interesting(node_);
    return kj::READY_NOW;
  }

 private:
  const RpcClient::Options& options_;
  const model::NodeId node_;
};

}  // namespace

// Takes the questions of a node that we guard. Cap'n Proto may hand it a call that had been read
// already when the session ended, and the peer with it: that call is answered, and nobody hears it.
class GuardianServer final : public wire::Guardian::Server {
 public:
  explicit GuardianServer(std::weak_ptr<RpcPeer> session) : session_(std::move(session)) {}

  kj::Promise<void> ask(AskContext context) override {
    const std::shared_ptr<RpcPeer> peer = session_.lock();
    if (peer == nullptr) return Ended();
    GuardStep step;
    const absl::Status status = Get(context.getParams().getStep(), step);
    if (!status.ok()) return ToException(status);
    context.releaseParams();
    context.allowCancellation();
    auto paf = kj::newPromiseAndFulfiller<GuardAnswer>();
    auto cell = std::make_shared<kj::Own<kj::PromiseFulfiller<GuardAnswer>>>(kj::mv(paf.fulfiller));
    peer->options_.guardian->Ask(peer->node_.node, step, [cell](GuardAnswer answer) {
      if (cell->get() != nullptr) (*cell)->fulfill(kj::mv(answer));
    });
    auto forget = kj::defer([cell] { *cell = nullptr; });
    return paf.promise
        .then([context](GuardAnswer answer) mutable {
          auto results = context.getResults();
          results.setGranted(answer.granted);
          results.setDecision(answer.decision.c_str());
          results.setInvariant(answer.invariant.c_str());
        })
        .exclusiveJoin(Overdue(*peer, step.number))
        .attach(kj::mv(forget));
  }
  kj::Promise<void> settled(SettledContext context) override {
    const std::shared_ptr<RpcPeer> peer = session_.lock();
    if (peer == nullptr) return Ended();
    const auto settled = context.getParams();
    peer->options_.guardian->Settled(peer->node_.node, {settled.getAt(), settled.getDecided()});
    return kj::READY_NOW;
  }
  kj::Promise<void> lapsed(LapsedContext context) override {
    const std::shared_ptr<RpcPeer> peer = session_.lock();
    if (peer == nullptr) return Ended();
    peer->OnLapsed(context.getParams().getWhy().cStr());
    return kj::READY_NOW;
  }

 private:
  static kj::Promise<void> Ended() {
    return ToException(absl::UnavailableError("the session has ended"));
  }
  // Tells the guardian when half the hold is over. Is never kept.
  kj::Promise<void> Overdue(RpcPeer& peer, uint64_t number) {
    return peer.loop_.timer()
        .afterDelay(peer.guard_.hold.count() * kj::MILLISECONDS / 2)
        .then([session = session_, number]() -> kj::Promise<void> {
          if (const auto asked = session.lock()) {
            asked->options_.guardian->Overdue(asked->node_.node, number);
          }
          return kj::NEVER_DONE;
        });
  }

  const std::weak_ptr<RpcPeer> session_;  // Of the session in which the guard was joined.
};

void RpcPeer::Introduce() {
  if (!connected() || options_.identity.life.empty()) return;
  auto request = session_->node.introduceRequest();
  Put(options_.identity, request.initAgent());
  session_->introducing = request.send().ignoreResult().eagerlyEvaluate([](kj::Exception&&) {});
}

void RpcPeer::SetGuard(const GuardTerms& terms) {
  if (options_.guardian == nullptr || terms == guard_) return;
  if (terms.invariants.empty() && guard_.invariants.empty()) return;
  guard_ = terms;
  guard_pause_ = kGuardPauseMin;
  if (connected()) JoinGuard();
}

void RpcPeer::JoinGuard() {
  auto request = session_->node.guardRequest();
  Put(guard_, request.initTerms());
  request.setGuardian(kj::heap<GuardianServer>(session_->asked));
  if (!guard_.invariants.empty()) options_.guardian->Joining(node_.node);
  session_->guarding =
      request.send()
          .then([this](auto&& response) {
            if (guard_.invariants.empty()) {
              return options_.guardian->Lost(node_.node, "it is not guarded any more");
            }
            GuardJoined joined;
            const absl::Status status = Get(response.getJoined(), joined);
            if (status.ok()) return options_.guardian->Joined(node_.node, joined);
            options_.guardian->Lost(node_.node, std::string(status.message()));
          })
          .eagerlyEvaluate([this](kj::Exception&& e) {
            options_.guardian->Lost(node_.node, std::string(ToStatus(e).message()));
          });
}

void RpcPeer::OnLapsed(const std::string& why) {
  options_.guardian->Lost(node_.node, why);
  const kj::Duration pause = guard_pause_;
  guard_pause_ = std::min(kGuardPauseMax, 2 * guard_pause_);
  // Not at once: this is called by what the session serves.
  session_->guarding = loop_.timer()
                           .afterDelay(pause)
                           .then([this] {
                             if (!guard_.invariants.empty() && connected())
                               again_ = kj::evalLater([this] {
                                          if (connected()) JoinGuard();
                                        }).eagerlyEvaluate(nullptr);
                           })
                           .eagerlyEvaluate(nullptr);
}

RpcPeer::RpcPeer(RpcLoop& loop, const RpcClient::Options& options, const NodeAddress& node,
                 kj::Maybe<kj::Own<kj::TlsContext>> tls)
    : loop_(loop),
      options_(options),
      node_(node),
      name_(absl::StrCat("node ", node.node.value(), " at ", ToString(node.address))),
      tls_(kj::mv(tls)),
      backoff_(kBackoffMin),
      guard_pause_(kGuardPauseMin) {
  ExpectAttempt();
  running_ = Run().eagerlyEvaluate(nullptr);
}

void RpcPeer::ExpectAttempt() {
  auto settled = kj::newPromiseAndFulfiller<void>();
  settle_ = kj::mv(settled.fulfiller);
  settled_ = settled.promise.fork();
  auto hurry = kj::newPromiseAndFulfiller<void>();
  hurry_ = kj::mv(hurry.fulfiller);
  hurried_ = kj::mv(hurry.promise);
}

kj::Promise<absl::Status> RpcPeer::Ready() {
  if (connected()) return absl::OkStatus();
  hurry_->fulfill();
  return settled_.addBranch().then([this] { return connected() ? absl::OkStatus() : failure_; });
}

absl::Status RpcPeer::CheckQueue() const {
  const size_t queued = session_->link->queued();
  const size_t limit = options_.limits.message_bytes_max;
  if (queued <= limit) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("has not taken ", queued, " bytes that were sent to it, limit ", limit));
}

kj::Promise<void> RpcPeer::Run() {
  late_ = false;
  auto late = loop_.timer().afterDelay(kAttemptTime).then([this]() -> kj::Promise<void> {
    late_ = true;
    return LostConnection(absl::StrCat("no greeting within ", kAttemptTime / kj::SECONDS, " s"));
  });
  return kj::evalNow([this] { return Attempt(); })
      .exclusiveJoin(kj::mv(late))
      .then([this] {
        backoff_ = kBackoffMin;
        session_->greeted = true;
        Introduce();  // Before anything that others ask.
        settle_->fulfill();
        if (!guard_.invariants.empty()) JoinGuard();
        return session_->link->OnDisconnect();
      })
      .then([this] { failure_ = absl::UnavailableError("the connection was lost"); },
            [this](kj::Exception&& e) { failure_ = Explained(ToStatus(e)); })
      .then([this] { return Pause(); })
      .then([this] { return Run(); });
}

absl::Status RpcPeer::Explained(const absl::Status& status) const {
  // With a session, and so after the handshake as far as we could see; in TLS 1.3 the node looks at
  // our certificate after that.
  const bool lost = absl::IsUnavailable(status) || absl::IsInternal(status);
  const bool hung_up = lost && session_ != nullptr && !session_->greeted && !late_;
  if (!hung_up || !node_.address.tcp) return status;
  const std::string message(status.message());
  if (tls_ == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("closed before its greeting: it may want TLS (", message, ")"));
  }
  if (message.find("alert") != std::string::npos) {
    return absl::UnavailableError(ExplainTls(message));
  }
  return absl::UnavailableError(absl::StrCat(
      "TLS: closed before its greeting: it may not accept our certificate (", message, ")"));
}

kj::Promise<void> RpcPeer::Pause() {
  if (options_.guardian != nullptr && !guard_.invariants.empty()) {
    options_.guardian->Lost(node_.node, std::string(failure_.message()));
  }
  session_.reset();
  settle_->fulfill();
  ExpectAttempt();
  const kj::Duration pause = backoff_;
  backoff_ = std::min(kBackoffMax, 2 * backoff_);
  return loop_.timer().afterDelay(pause).exclusiveJoin(kj::mv(hurried_));
}

kj::Promise<void> RpcPeer::Attempt() {
  return Connect(loop_, node_.address)
      .then([this](kj::Own<kj::AsyncIoStream> stream) -> kj::Promise<kj::Own<kj::AsyncIoStream>> {
        KJ_IF_MAYBE (tls, tls_) {
          return (*tls)
              ->wrapClient(kj::mv(stream), node_.address.host.c_str())
              .catch_([](kj::Exception&& e) -> kj::Promise<kj::Own<kj::AsyncIoStream>> {
                return ToException(
                    absl::UnauthenticatedError(ExplainTls(e.getDescription().cStr())));
              });
        }
        return kj::mv(stream);
      })
      .then([this](kj::Own<kj::AsyncIoStream> stream) { return Greet(kj::mv(stream)); });
}

kj::Promise<void> RpcPeer::Greet(kj::Own<kj::AsyncIoStream> stream) {
  auto link = RpcLink::Use(kj::mv(stream), options_.limits);
  auto node = link->Root().castAs<wire::Node>();
  session_.reset(new Session{kj::mv(link), kj::mv(node), kj::READY_NOW});
  session_->asked = std::shared_ptr<RpcPeer>(this, [](RpcPeer*) {});  // Owns nothing.
  auto request = session_->node.helloRequest();
  request.setProtocol(kProtocolVersion);
  request.setAgent(options_.agent.c_str());
  return request.send().then([this](auto&& response) -> kj::Promise<void> {
    const absl::Status status = Check(response.getInfo());
    if (!status.ok()) return ToException(status);
    auto listen = session_->node.listenRequest();
    listen.setListener(kj::heap<Ear>(options_, node_.node));
    // A node that has no hints to give is as good as any other.
    session_->listening = listen.send().ignoreResult().eagerlyEvaluate([](kj::Exception&&) {});
    return kj::READY_NOW;
  });
}

absl::Status RpcPeer::Check(wire::NodeInfo::Reader from) const {
  // First: what else a node of another protocol says may mean something else.
  if (from.getProtocol() != kProtocolVersion) {
    return absl::FailedPreconditionError(absl::StrCat(
        "speaks protocol ", from.getProtocol(), ", this agent speaks protocol ", kProtocolVersion));
  }
  NodeInfo info;
  absl::Status status = Get(from, info);
  if (status.ok() && info.node != node_.node) {
    status = absl::FailedPreconditionError(
        absl::StrCat("says that it is node ", info.node.value(), ", not ", node_.node.value()));
  }
  return status;
}

}  // namespace foretell::snapshot
