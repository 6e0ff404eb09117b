#include "foretell/integration/sdk/net/host_port.h"

#include <arpa/inet.h>

#include <charconv>

#include "absl/strings/str_cat.h"

namespace foretell::integration::sdk {

absl::StatusOr<HostPort> ParseHostPort(const std::string& text) {
  const auto bad = [&text] {
    return absl::InvalidArgumentError(
        absl::StrCat("address '", text, "': write it like 127.0.0.1:7000 or [::1]:7000"));
  };
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return bad();
  HostPort address{.host = text.substr(0, colon)};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, address.port);
  if (error != std::errc() || rest != end) return bad();
  if (address.host == "localhost") address.host = "127.0.0.1";
  const bool ip6 = address.host.size() > 2 && address.host.front() == '[';
  if (ip6) {
    if (address.host.back() != ']') return bad();
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  unsigned char parsed[sizeof(in6_addr)];
  if (inet_pton(ip6 ? AF_INET6 : AF_INET, address.host.c_str(), parsed) != 1) return bad();
  return address;
}

std::string ToString(const HostPort& address) {
  const bool ip6 = address.host.find(':') != std::string::npos;
  return absl::StrCat(ip6 ? "[" : "", address.host, ip6 ? "]" : "", ":", address.port);
}

}  // namespace foretell::integration::sdk
