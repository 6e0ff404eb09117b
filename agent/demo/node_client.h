#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace foretell::agent {

// The client port of a node.
struct ClientAddress {
  std::string host = "127.0.0.1";
  uint16_t port = 0;
};
// "HOST:PORT". InvalidArgument says what would be right.
absl::StatusOr<ClientAddress> ParseClientAddress(const std::string& text);

// One line to the client port of a node, one line back. Unavailable if it does not answer.
absl::StatusOr<std::string> AskNode(const ClientAddress& node, const std::string& line);
// Like AskNode, for answers of several lines that end with one that is a single dot.
absl::StatusOr<std::vector<std::string>> AskNodeAll(const ClientAddress& node,
                                                    const std::string& line);

}  // namespace foretell::agent
