#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/snapshot/node/address.h"
#include "foretell/snapshot/node/endpoint.h"
#include "foretell/snapshot/node/limits.h"

namespace foretell::snapshot {

// Told about connections that were refused or ended for a reason, on the server's own thread and
// not more often than a few times per second. One line, without its end.
using RpcLog = std::function<void(const std::string&)>;

// Serves a node to agents over Cap'n Proto RPC, on a thread and a kj event loop of its own. This
// and rpc_client.h are the only places where kj's loop meets ours.
class RpcServer {
 public:
  // Listens; fails if it cannot. `endpoint` outlives the server. A tcp address without TLS files
  // is refused unless it is a loopback address and `tls` is empty on both sides.
  static absl::StatusOr<std::unique_ptr<RpcServer>> Start(const Address& address,
                                                          const TlsFiles& tls,
                                                          const RpcLimits& limits,
                                                          NodeEndpoint& endpoint,
                                                          RpcLog log = nullptr);
  virtual ~RpcServer() = default;       // Stops; no call reaches the endpoint afterwards.
  virtual Address address() const = 0;  // With the port that the kernel chose.
};

}  // namespace foretell::snapshot
