#pragma once

// Only .cc files of this folder may include this: it brings in the generated header.

#include <memory>

#include "foretell.capnp.h"
#include "foretell/snapshot/rpc/acceptor.h"
#include "foretell/snapshot/rpc/bucket.h"
#include "foretell/snapshot/rpc/hints.h"
#include "foretell/snapshot/rpc/loop.h"

namespace foretell::snapshot {

// The state that all connections of one server share. Belongs to the loop's thread.
struct NodeService {
  NodeEndpoint& endpoint;
  RpcLimits limits;
  RpcLoop& loop;
  Bucket bandwidth{limits.reply_bytes_per_second};
  HintHub hints{loop.mailbox(), endpoint};
  uint64_t sessions = 0;  // Begun so far.
};

// The node as one agent sees it. Both arguments outlive it.
wire::Node::Client ServeNode(NodeService& service, RpcConnection& connection);

}  // namespace foretell::snapshot
