#pragma once

// Only .cc files of this folder include this: Asio's headers are heavy.

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "foretell/integration/sdk/net/host_port.h"

namespace foretell::integration::sdk {

// Takes connections on one address for as long as it lives. A process that has run out of
// descriptors pauses instead of spinning.
class TcpListener {
 public:
  explicit TcpListener(asio::io_context& loop) : acceptor_(loop), pause_(loop) {}

  // Connections wait in the kernel until Start. `who` is for the error: "clients", "peers".
  absl::Status Bind(const HostPort& address, const std::string& who);
  using Accepted = std::function<void(asio::ip::tcp::socket)>;
  void Start(Accepted accepted);
  std::string address() const;

 private:
  void Accept();
  void Pause();

  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  Accepted accepted_;
};

}  // namespace foretell::integration::sdk
