#pragma once

#include <functional>
#include <memory>
#include <string>

#include "foretell/integration/sdk/net/host_port.h"

namespace asio {
class io_context;
}

namespace foretell::integration::sdk {

// The connection to one peer, which only sends.
class TcpLink {
 public:
  // `lost` is called after a connection that was made has broken and the queue was dropped.
  static std::unique_ptr<TcpLink> Make(asio::io_context& loop, const HostPort& peer,
                                       std::function<void()> lost);
  virtual ~TcpLink() = default;

  // Room for more bytes at the end of what is to be sent; Flush sends them.
  virtual std::string& queue() = 0;
  virtual size_t queued_bytes() const = 0;  // Bytes that are on their way included.
  virtual void Flush() = 0;
  // Ends the connection and drops the queue; `lost` is not called.
  virtual void Reset() = 0;
};

}  // namespace foretell::integration::sdk
