#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace foretell::snapshot {

// Where a node listens for its agent: "unix:/run/foretell/node0.sock" or "tcp:HOST:PORT"
// (IPv6 hosts in brackets). Port 0 lets the kernel choose.
struct Address {
  bool tcp = false;
  std::string path;  // Unix socket.
  std::string host;
  uint16_t port = 0;
};
// InvalidArgument, naming the text and what was expected.
absl::StatusOr<Address> ParseAddress(const std::string& text);
std::string ToString(const Address& address);

// Files for mutual TLS, PEM. All three are needed for tcp, none for unix sockets, where the file's
// permissions decide who may connect.
struct TlsFiles {
  std::string certificate;
  std::string key;
  std::string authority;  // Whose signature makes a peer one of us.
  bool empty() const { return certificate.empty() && key.empty() && authority.empty(); }
};

}  // namespace foretell::snapshot
