#include "foretell/integration/sdk/net/tcp_listener.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::integration::sdk {
namespace {

using asio::ip::tcp;

constexpr std::chrono::milliseconds kPause{100};

}  // namespace

absl::Status TcpListener::Bind(const HostPort& address, const std::string& who) {
  const tcp::endpoint local(asio::ip::make_address(address.host), address.port);
  asio::error_code error;
  acceptor_.open(local.protocol(), error);
  // A restarted node gets its port back at once.
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(local, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot listen for ", who, " on ", ToString(address),
                                             " (TCP): ", error.message()));
}

void TcpListener::Start(Accepted accepted) {
  accepted_ = std::move(accepted);
  Accept();
}

std::string TcpListener::address() const {
  asio::error_code error;
  const tcp::endpoint local = acceptor_.local_endpoint(error);
  return ToString(HostPort{local.address().to_string(), local.port()});
}

void TcpListener::Accept() {
  acceptor_.async_accept([this](const asio::error_code& error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (error) return Pause();  // Out of descriptors, most likely.
    accepted_(std::move(socket));
    Accept();
  });
}

void TcpListener::Pause() {
  pause_.expires_after(kPause);
  pause_.async_wait([this](const asio::error_code& error) {
    if (!error) Accept();
  });
}

}  // namespace foretell::integration::sdk
