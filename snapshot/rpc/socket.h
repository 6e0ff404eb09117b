#pragma once

// Only .cc files of this folder may include this: it brings in kj.

#include <kj/async-io.h>

#include <string>

#include "absl/status/statusor.h"
#include "foretell/snapshot/node/address.h"
#include "foretell/snapshot/rpc/loop.h"

namespace foretell::snapshot {

// Where connections come in.
struct Listening {
  kj::Own<kj::ConnectionReceiver> receiver;  // Removes the file of a unix socket when it goes.
  Address address;                           // With the port that the kernel chose.
};

// A unix socket can only be reached by our user (mode 0600). The file that a dead process left
// behind is replaced; AlreadyExists if a live one listens there or if it is no socket. Promised for
// TCP, whose host may have to be looked up. REQUIRES: on the loop's thread.
kj::Promise<absl::StatusOr<Listening>> Listen(RpcLoop& loop, const Address& address);

// REQUIRES: on the loop's thread.
kj::Promise<kj::Own<kj::AsyncIoStream>> Connect(RpcLoop& loop, const Address& address);

// Lets the kernel notice within seconds that the machine of a TCP peer is gone.
void WatchPeer(kj::AsyncIoStream& stream, const Address& address);

}  // namespace foretell::snapshot
