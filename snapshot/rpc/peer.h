#pragma once

// Only .cc files of this folder may include this: it brings in the generated header.

#include <kj/compat/tls.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "foretell.capnp.h"
#include "foretell/snapshot/rpc/client.h"
#include "foretell/snapshot/rpc/link.h"
#include "foretell/snapshot/rpc/loop.h"
#include "foretell/snapshot/rpc/status.h"

namespace foretell::snapshot {

// One node as its agent sees it: a connection that comes back by itself. Belongs to the loop's
// thread. `options` outlives it.
class RpcPeer {
 public:
  RpcPeer(RpcLoop& loop, const RpcClient::Options& options, const NodeAddress& node,
          kj::Maybe<kj::Own<kj::TlsContext>> tls);
  RpcPeer(const RpcPeer&) = delete;
  RpcPeer& operator=(const RpcPeer&) = delete;

  // Asks the node, within `timeout`; T is absl::Status or a StatusOr. Does not throw: whatever goes
  // wrong is a Status that names the node. The peer outlives the promise.
  template <class T>
  kj::Promise<T> Ask(kj::Duration timeout, std::function<kj::Promise<T>(wire::Node::Client)> ask) {
    const bool wait = !silent_;
    return Ready()
        .then([this, ask = std::move(ask)](absl::Status ready) -> kj::Promise<T> {
          // The connection can be lost between the question and this turn of the loop.
          if (ready.ok() && !connected()) ready = failure_;
          if (ready.ok()) ready = CheckQueue();
          if (!ready.ok()) return T(ready);
          return ask(session_->node);
        })
        .catch_([](kj::Exception&& e) { return T(ToStatus(e)); })
        .exclusiveJoin(
            loop_.timer().afterDelay(wait ? timeout : 0 * kj::MILLISECONDS).then([=, this] {
              silent_ = in_round_;
              return T(wait ? TimedOut(timeout) : NotWaitedFor());
            }))
        .then([this](T result) { return Named(std::move(result)); });
  }

  // Says who we are, if the node is connected. One that cannot be told is as good as any other.
  void Introduce();
  // See RpcClient::SetGuard.
  void SetGuard(const GuardTerms& terms);

  // See RpcClient.
  void StartRound() {
    in_round_ = true;
    silent_ = false;
  }

 private:
  struct Session {
    kj::Own<RpcLink> link;
    wire::Node::Client node;
    kj::Promise<void> listening;
    kj::Promise<void> introducing = kj::READY_NOW;
    kj::Promise<void> guarding = kj::READY_NOW;
    bool greeted = false;
    // What its GuardianServers know of us. Last: they are told first that the session has ended.
    std::shared_ptr<RpcPeer> asked;
  };

  // Ok once there is a connection; otherwise how the attempt that is under way, or else one that
  // is made at once, has failed.
  kj::Promise<absl::Status> Ready();
  bool connected() const { return session_ != nullptr && session_->greeted; }
  // REQUIRES: connected. Whether the node takes what we send; a hung one must not cost more and
  // more memory.
  absl::Status CheckQueue() const;
  // Connects, stays until the connection is lost, pauses, and starts again.
  kj::Promise<void> Run();
  kj::Promise<void> Attempt();
  kj::Promise<void> Greet(kj::Own<kj::AsyncIoStream> stream);
  absl::Status Check(wire::NodeInfo::Reader from) const;
  // `status`, with the likely reason if the node hung up instead of greeting.
  absl::Status Explained(const absl::Status& status) const;
  // Asks the node to let itself be guarded, if that is wanted. REQUIRES: there is a session.
  void JoinGuard();
  // The node does not ask us any more; it is to do so again after a while, and longer each time.
  void OnLapsed(const std::string& why);
  // The session is over, or there was none.
  kj::Promise<void> Pause();
  void ExpectAttempt();

  static absl::Status TimedOut(kj::Duration timeout) {
    return absl::DeadlineExceededError(
        absl::StrCat("no answer within ", timeout / kj::MILLISECONDS, " ms"));
  }
  static absl::Status NotWaitedFor() {
    return absl::DeadlineExceededError("not waited for: it has been silent in this round");
  }
  absl::Status Named(absl::Status status) const { return Annotate(status, name_); }
  template <class T>
  absl::StatusOr<T> Named(absl::StatusOr<T> result) const {
    if (result.ok()) return result;
    return Annotate(result.status(), name_);
  }

  RpcLoop& loop_;
  const RpcClient::Options& options_;
  const NodeAddress node_;
  const std::string name_;
  kj::Maybe<kj::Own<kj::TlsContext>> tls_;

  std::unique_ptr<Session> session_;
  absl::Status failure_;  // Of the last attempt or session.
  kj::Duration backoff_;
  bool late_ = false;  // The attempt took too long.
  GuardTerms guard_;
  kj::Duration guard_pause_;
  friend class GuardianServer;
  bool in_round_ = false;
  bool silent_ = false;                        // A question of this round was not answered in time.
  kj::Promise<void> again_ = kj::READY_NOW;    // The guard is joined once more.
  kj::Own<kj::PromiseFulfiller<void>> hurry_;  // Of the promise below.
  kj::Promise<void> hurried_ = nullptr;        // The pause is to end.
  kj::Own<kj::PromiseFulfiller<void>> settle_;  // Of the promise below.
  kj::ForkedPromise<void> settled_ = nullptr;   // The current or next attempt has ended.
  kj::Promise<void> running_ = nullptr;         // Last: it uses all of the above.
};

}  // namespace foretell::snapshot
