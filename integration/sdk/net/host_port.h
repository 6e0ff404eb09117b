#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "foretell/snapshot/node/address.h"

namespace foretell::integration::sdk {

using snapshot::HostPort;

// A numeric address and a port: "127.0.0.1:7000", "[::1]:7000". "localhost" is 127.0.0.1; other
// names are refused, because looking them up could block a node's loop for many seconds.
absl::StatusOr<HostPort> ParseNumericHostPort(const std::string& text);

}  // namespace foretell::integration::sdk
