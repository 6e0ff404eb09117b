#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/integration/sdk/values/faults.h"
#include "foretell/integration/sdk/values/time.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/node/address.h"
#include "foretell/snapshot/node/endpoint.h"
#include "foretell/snapshot/node/limits.h"

namespace foretell::integration::sdk {

struct HostOptions {
  // The node's identity; agents and peers are told.
  std::string service;
  std::string scenario;
  std::string bug;
  std::string version = "unversioned";
  std::string cluster;  // Nodes of different clusters do not listen to each other.
  model::NodeId node{0};
  std::optional<std::string> start;  // The state of its first life. Nothing: the initial one.

  std::string listen = "127.0.0.1:0";  // For peers. Port 0: the kernel chooses.
  // Addresses of all nodes by id. Empty: they come later, by the command `peers`; until then the
  // node only waits.
  std::vector<std::string> peers;
  std::string client;                      // For clients; empty: nowhere.
  std::optional<snapshot::Address> agent;  // For agents; nothing: nowhere.
  snapshot::TlsFiles tls;
  snapshot::RpcLimits limits;
  std::string store;  // Directory of what survives; empty: nothing does.

  bool checkpoints = true;  // False: agents get none, and duplicates are not suppressed.
  // Without a store: higher than in any earlier life of this node, and below 2^32.
  uint64_t life = 1;
  uint64_t seed = 1;  // Of choices and the jitter of timers.
  Faults faults;
  bool stop_on_signals = false;  // SIGINT and SIGTERM end Run.
  // For runs that do not depend on how fast the machine is. Time passes by the command `clock`
  // alone: timers, delays and leases wait for it; and agents get a hint by the command `hint`
  // alone. Connections that are refused are tried again by the machine's clock all the same.
  bool stepped = false;

  std::function<Time()> now;                    // REQUIRES: not empty.
  std::function<void(const std::string&)> log;  // One line; empty: nowhere. On Run's thread.
};

// A live node: any service, its handlers run one event at a time by the thread that calls Run.
class Host {
 public:
  // Binds all sockets and reads the store. `service` outlives the host.
  static absl::StatusOr<std::unique_ptr<Host>> Open(const model::Service& service,
                                                    HostOptions options);
  // Run has returned, or was never called.
  virtual ~Host() = default;

  // Serves until Stop, a signal, the command `stop`, or a failure. Not OK: a handler failed
  // (Aborted) or the store cannot be written any more (Unavailable).
  virtual absl::Status Run() = 0;
  virtual void Stop() = 0;  // Thread-safe.
  // A command of the client port, see commands.h; thread-safe. `reply` is called by Run's thread,
  // or never if the host ends before.
  virtual void Execute(std::string command, std::function<void(std::string)> reply) = 0;

  virtual snapshot::NodeEndpoint& endpoint() = 0;
  // Where it listens, with the ports that the kernel chose; empty if nowhere.
  virtual std::string listen_address() const = 0;
  virtual std::string client_address() const = 0;
  virtual std::string agent_address() const = 0;
};

}  // namespace foretell::integration::sdk
