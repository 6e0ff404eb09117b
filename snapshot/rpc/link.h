#pragma once

// Only .cc files of this folder may include this: it brings in Cap'n Proto.

#include <kj/async-io.h>

#include <string>

#include "foretell.capnp.h"
#include "foretell/snapshot/node/limits.h"

namespace foretell::snapshot {

// Cap'n Proto RPC over one stream. Messages beyond the limits, and bytes that are no messages, end
// the connection; so does a peer that goes on sending without taking what it is answered, be that
// by Cap'n Proto itself. Belongs to the loop's thread.
class RpcLink {
 public:
  // Serves `root` to the peer.
  static kj::Own<RpcLink> Serve(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits,
                                capnp::Capability::Client root);
  static kj::Own<RpcLink> Use(kj::Own<kj::AsyncIoStream> stream, const RpcLimits& limits);
  virtual ~RpcLink() noexcept(false) = default;

  // The capability that the peer serves. REQUIRES: made by Use.
  virtual capnp::Capability::Client Root() = 0;
  // Broken if we end it. REQUIRES: called once.
  virtual kj::Promise<void> OnDisconnect() = 0;
  // Bytes that the peer has not taken yet.
  virtual size_t queued() = 0;
};

// Why a connection is ended whose peer does not read.
std::string UnreadText(size_t unread, size_t limit);

}  // namespace foretell::snapshot
