#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/checkpoint.h"

namespace foretell::snapshot {

// OK if `checkpoint` can be node `node`'s answer to a request for checkpoint `number`: the right
// node and number, channels listed once and in order, counts that agree with each other, nothing
// beyond what a node keeps. Bodies are not looked at. InvalidArgument, naming the thing and both
// values, if it cannot.
absl::Status ValidateCheckpoint(const Checkpoint& checkpoint, model::NodeId node, uint64_t number,
                                const model::Service& service);

}  // namespace foretell::snapshot
