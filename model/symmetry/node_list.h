#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/model/id.h"

namespace foretell::model {

// Appends the nodes of a word: "3" or "3-5". InvalidArgument, naming the word or the node, if it is
// no such word or there is no such node.
absl::Status AddNodes(const std::string& word, uint32_t node_count, std::vector<NodeId>& nodes);

}  // namespace foretell::model
