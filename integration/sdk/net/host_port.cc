#include "foretell/integration/sdk/net/host_port.h"

#include <arpa/inet.h>

#include "absl/strings/str_cat.h"

namespace foretell::integration::sdk {

absl::StatusOr<HostPort> ParseNumericHostPort(const std::string& text) {
  auto address = snapshot::ParseHostPort(text);
  if (!address.ok()) return address.status();
  if (address->host == "localhost") address->host = "127.0.0.1";
  const bool ip6 = address->host.find(':') != std::string::npos;
  unsigned char parsed[sizeof(in6_addr)];
  if (inet_pton(ip6 ? AF_INET6 : AF_INET, address->host.c_str(), parsed) == 1) return address;
  return snapshot::BadAddress(
      text, absl::StrCat("a numeric address like 127.0.0.1:7000 or [::1]:7000, got \"",
                         address->host, "\""));
}

}  // namespace foretell::integration::sdk
