#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace foretell::snapshot {

// The longest path that fits into a sockaddr_un, with the zero at its end.
inline constexpr size_t kSocketPathMax = 107;

// "HOST:PORT", the host being a name, an IPv4 address, or an IPv6 address in brackets, which `host`
// does not contain. Port 0 lets the kernel choose.
struct HostPort {
  std::string host;  // Not empty.
  uint16_t port = 0;
  friend bool operator==(const HostPort&, const HostPort&) = default;
};
// InvalidArgument, naming the text, the part of it that is wrong and what was expected. One address
// has one spelling: no signs, spaces or leading zeroes.
absl::StatusOr<HostPort> ParseHostPort(const std::string& text);
// ParseHostPort undoes it.
std::string ToString(const HostPort& address);
// The failure of ParseHostPort, for who expects more than it does.
absl::Status BadAddress(const std::string& text, const std::string& expected);

// Where a node listens for its agent: "unix:/run/foretell/node0.sock" or "tcp:HOST:PORT".
struct Address {
  bool tcp = false;
  std::string path;  // Unix socket: at most kSocketPathMax bytes.
  std::string host;  // As in HostPort.
  uint16_t port = 0;
  friend bool operator==(const Address&, const Address&) = default;
};
// InvalidArgument, naming the text and what was expected.
absl::StatusOr<Address> ParseAddress(const std::string& text);
// ParseAddress undoes it.
std::string ToString(const Address& address);

// Files for mutual TLS, PEM. All three are needed for tcp, none for unix sockets, where the file's
// permissions decide who may connect.
struct TlsFiles {
  std::string certificate;
  std::string key;
  std::string authority;  // Whose signature makes a peer one of us.
  bool empty() const { return certificate.empty() && key.empty() && authority.empty(); }
};
// OK if we may listen on or connect to `address` with these files: a unix socket always, TCP with
// all three files, plain TCP only on this machine. InvalidArgument says what is missing.
absl::Status CheckSecurity(const Address& address, const TlsFiles& tls);

}  // namespace foretell::snapshot
