#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/snapshot/node/address.h"

namespace foretell::agent {

// The client port of a node.
using ClientAddress = snapshot::HostPort;
// "HOST:PORT", with a port to connect to. InvalidArgument says what would be right.
absl::StatusOr<ClientAddress> ParseClientAddress(const std::string& text);

// One line to the client port of a node, one line back. Unavailable if it does not answer.
absl::StatusOr<std::string> AskNode(const ClientAddress& node, const std::string& line);
// Like AskNode, for answers of several lines that end with one that is a single dot.
absl::StatusOr<std::vector<std::string>> AskNodeAll(const ClientAddress& node,
                                                    const std::string& line);

}  // namespace foretell::agent
