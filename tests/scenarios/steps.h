#pragma once

// A path as lines of text:
//
//   act 0 Propose            node 0 acts; the first action whose name begins so, if one is given
//   deliver 0 1 Ask choose 1 a message from node 0 arrives at node 1, whose handler chooses 1
//   crash 2
//   restart 2
//   break 0 1                the stream from node 0 to node 1 breaks, as node 1 sees it

#include <string>

#include "absl/status/statusor.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::scenarios {

// The step that `line` means where `system` is now. InvalidArgument if it means none, with those
// that are possible.
absl::StatusOr<model::PathStep> StepOf(const std::string& line, const model::Service& service,
                                       const model::PlainSystem& system);

}  // namespace foretell::scenarios
