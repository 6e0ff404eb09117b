#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/cut.h"
#include "model/service.h"
#include "snapshot/checkpoint.h"

namespace foretell::snapshot {

// A cut of a live system, ready to be checked.
struct Snapshot {
  uint64_t number = 0;
  model::SystemCut cut;  // Absent nodes have the status kAbsent.
  std::vector<model::NodeId> absent;
  // The messages in flight are all that can still arrive. False for a neighbourhood cut (a node is
  // absent), and after a restart or reset whose older messages nobody remembers any more; what is
  // in flight is then known to be a part of it.
  bool exact = true;
  std::vector<std::string> notes;  // What is missing and why, one sentence each.
};

// Puts the checkpoints of one number together. `checkpoints` has one element per node; a null one
// makes the node absent, with `reasons[node]` in the notes.
// FailedPrecondition, naming channel and both counts, if a message was received that was not sent
// (an orphan); InvalidArgument if a state or message is not one of the service; Unavailable if no
// node answered.
absl::StatusOr<Snapshot> Assemble(const model::Service& service, uint64_t number,
                                  std::span<const std::shared_ptr<const Checkpoint>> checkpoints,
                                  std::span<const std::string> reasons);

}  // namespace foretell::snapshot
