#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/integration/sdk/net/envelope.h"
#include "foretell/integration/sdk/values/stats.h"
#include "foretell/model/service.h"

namespace asio {
class io_context;
}

namespace foretell::integration::sdk {

// Carries envelopes between nodes, on the node's loop and on its thread only.
class Transport {
 public:
  struct Callbacks {
    std::function<void(const Envelope&)> message;  // A valid envelope has arrived.
    // Streams: the one to, or from, this peer has broken.
    std::function<void(model::NodeId)> outgoing_broken;
    std::function<void(model::NodeId)> incoming_broken;
  };

  // Binds to `listen` (HOST:PORT; port 0 lets the kernel choose). `loop` and `stats` outlive it.
  static absl::StatusOr<std::unique_ptr<Transport>> Open(model::NetworkKind kind,
                                                         asio::io_context& loop,
                                                         const std::string& listen,
                                                         const Membership& membership,
                                                         Callbacks callbacks, Stats& stats);
  virtual ~Transport() = default;

  // One address per node, this one's included (it is not used). Nothing is received from anybody
  // before.
  virtual absl::Status SetPeers(const std::vector<std::string>& addresses) = 0;
  // Queues a message for Flush. Counts and drops it if it cannot be sent.
  virtual void Send(const Envelope& envelope) = 0;
  virtual void Flush() = 0;
  // Streams: ends the one from or to `peer`. The callbacks are not called for it.
  virtual void ResetFrom(model::NodeId peer) = 0;
  virtual void ResetTo(model::NodeId peer) = 0;
  // HOST:PORT that was bound.
  virtual std::string address() const = 0;
};

// Counts an envelope that was not taken.
void CountError(EnvelopeError error, Stats& stats);

}  // namespace foretell::integration::sdk
