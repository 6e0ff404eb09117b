#pragma once

// Only .cc files of this folder may include this: it brings in Cap'n Proto.

#include <kj/compat/tls.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "foretell.capnp.h"
#include "foretell/snapshot/rpc/bucket.h"
#include "foretell/snapshot/rpc/loop.h"
#include "foretell/snapshot/rpc/server.h"
#include "foretell/snapshot/rpc/socket.h"

namespace foretell::snapshot {

// A connection, as what is served over it sees it.
class RpcConnection {
 public:
  virtual ~RpcConnection() noexcept(false) = default;
  // The peer has shown that it speaks our protocol; before that it may not stay for long.
  virtual void Greeted() = 0;
  // Soon, not at once: the caller may be a call of this connection.
  virtual void Close(const std::string& why) = 0;
  // Bytes that the peer has not taken yet.
  virtual size_t queued() = 0;
  // `ended` is called when the connection goes, and is the last moment to use it. What is served
  // may live longer: a peer can hand our own objects back to us.
  virtual void OnEnd(std::function<void()> ended) = 0;
};

// Takes connections in and serves an object of its own to each. Whatever a peer does ends at most
// its own connection. Belongs to the loop's thread.
class RpcAcceptor final : private kj::TaskSet::ErrorHandler {
 public:
  // Called for each connection.
  using Serve = std::function<capnp::Capability::Client(RpcConnection&)>;
  // `log` is told about refused connections, a few times per second at most. It is called on the
  // loop's thread.
  RpcAcceptor(RpcLoop& loop, Listening listening, kj::Maybe<kj::Own<kj::TlsContext>> tls,
              const RpcLimits& limits, Serve serve, RpcLog log);
  ~RpcAcceptor() noexcept(false);

 private:
  class Connection;
  using Key = uint64_t;

  kj::Promise<void> AcceptAll();
  void Admit(kj::AuthenticatedStream stream);
  kj::Promise<void> Handshake(Key key, kj::Own<kj::AsyncIoStream> stream);
  // Resolves when the connection has ended.
  kj::Promise<void> ServeOn(Key key, kj::Own<kj::AsyncIoStream> stream);
  void Log(const std::string& line);
  void taskFailed(kj::Exception&& exception) override;

  RpcLoop& loop_;
  Listening listening_;
  kj::Maybe<kj::Own<kj::TlsContext>> tls_;
  const RpcLimits limits_;
  const Serve serve_;
  const RpcLog log_;
  Bucket log_budget_;
  uint64_t lines_left_out_ = 0;
  Key next_ = 0;
  std::map<Key, kj::Own<Connection>> connections_;
  kj::TaskSet tasks_;  // Last: what runs uses all of the above.
};

}  // namespace foretell::snapshot
