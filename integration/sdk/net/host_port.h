#pragma once

// Addresses as people write them.

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace foretell::integration::sdk {

// A numeric address and a port: "127.0.0.1:7000", "[::1]:7000". "localhost" is 127.0.0.1.
struct HostPort {
  std::string host;
  uint16_t port = 0;
};
// InvalidArgument, naming `text` and what would be right. Names are not looked up: that could block
// a node's loop for many seconds.
absl::StatusOr<HostPort> ParseHostPort(const std::string& text);
std::string ToString(const HostPort& address);

}  // namespace foretell::integration::sdk
