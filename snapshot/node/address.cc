#include "foretell/snapshot/node/address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace foretell::snapshot {
namespace {

constexpr char kUnix[] = "unix:";
constexpr char kTcp[] = "tcp:";

absl::StatusOr<Address> ParseUnix(const std::string& text, std::string path) {
  if (path.empty() || path.size() > kSocketPathMax) {
    return BadAddress(text,
                      absl::StrCat("a path of 1 to ", kSocketPathMax, " bytes, got ", path.size()));
  }
  if (path.find('\0') != std::string::npos) return BadAddress(text, "a path without zero bytes");
  return Address{.tcp = false, .path = std::move(path)};
}

absl::StatusOr<uint16_t> ParsePort(const std::string& text, const std::string& port) {
  uint32_t value = 0;
  const bool digits = !port.empty() && std::all_of(port.begin(), port.end(),
                                                   [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || !absl::SimpleAtoi(port, &value) || value > UINT16_MAX ||
      (port.size() > 1 && port.front() == '0')) {
    return BadAddress(text, absl::StrCat("a port from 0 to 65535, got \"", port, "\""));
  }
  return static_cast<uint16_t>(value);
}

bool HostCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == '_';
}
// '%' is for scoped addresses (fe80::1%eth0).
bool Ip6Character(char c) { return HostCharacter(c) || c == ':' || c == '%'; }

// The address that `text` has behind `scheme`.
absl::StatusOr<HostPort> ParseBehind(const std::string& scheme, const std::string& text) {
  const std::string rest = text.substr(scheme.size());
  const size_t colon = rest.rfind(':');
  if (colon == std::string::npos) return BadAddress(text, scheme + "HOST:PORT");
  const absl::StatusOr<uint16_t> port = ParsePort(text, rest.substr(colon + 1));
  if (!port.ok()) return port.status();
  std::string host = rest.substr(0, colon);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  const bool valid = bracketed
                         ? std::all_of(host.begin(), host.end(), Ip6Character) &&
                               host.find(':') != std::string::npos
                         : !host.empty() && std::all_of(host.begin(), host.end(), HostCharacter);
  if (valid) return HostPort{std::move(host), *port};
  return BadAddress(
      text, absl::StrCat("a host name, an IPv4 address or an IPv6 address in brackets, got \"",
                         rest.substr(0, colon), "\""));
}

bool IsLoopback(const std::string& host) {
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  return host == "::1" || host == "localhost";
}

}  // namespace

absl::Status BadAddress(const std::string& text, const std::string& expected) {
  return absl::InvalidArgumentError(absl::StrCat("address \"", text, "\": expected ", expected));
}

absl::StatusOr<HostPort> ParseHostPort(const std::string& text) { return ParseBehind("", text); }

std::string ToString(const HostPort& address) {
  const bool ip6 = address.host.find(':') != std::string::npos;
  return absl::StrCat(ip6 ? "[" : "", address.host, ip6 ? "]" : "", ":", address.port);
}

absl::StatusOr<Address> ParseAddress(const std::string& text) {
  if (text.starts_with(kUnix)) return ParseUnix(text, text.substr(sizeof(kUnix) - 1));
  if (!text.starts_with(kTcp)) return BadAddress(text, "unix:PATH or tcp:HOST:PORT");
  auto tcp = ParseBehind(kTcp, text);
  if (!tcp.ok()) return tcp.status();
  return Address{.tcp = true, .host = std::move(tcp->host), .port = tcp->port};
}

std::string ToString(const Address& address) {
  if (!address.tcp) return kUnix + address.path;
  return kTcp + ToString(HostPort{address.host, address.port});
}

absl::Status CheckSecurity(const Address& address, const TlsFiles& tls) {
  if (!address.tcp) return absl::OkStatus();
  if (tls.empty()) {
    if (IsLoopback(address.host)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat(ToString(address), " is not on this machine and needs TLS: certificate, key ",
                     "and authority"));
  }
  for (const auto& [what, path] : {std::pair("certificate", tls.certificate),
                                   {"key", tls.key},
                                   {"authority", tls.authority}}) {
    if (path.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("TLS for ", ToString(address), ": no file for the ", what));
    }
  }
  return absl::OkStatus();
}

}  // namespace foretell::snapshot
