#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/checkpoint.h"

namespace foretell::snapshot {

// A node that is not in a cut.
struct Absent {
  model::NodeId node{0};
  std::string reason;  // Empty in records of older builds.
  friend bool operator==(const Absent&, const Absent&) = default;
};

// A cut of a live system, ready to be checked.
struct Snapshot {
  uint64_t number = 0;
  model::SystemCut cut;        // Absent nodes have the status kAbsent.
  std::vector<Absent> absent;  // By rising node.
  // The messages in flight are exactly those that were sent in the cut, were not received in it,
  // and would still be taken; lost datagrams are among them, for nobody can know. False for a
  // neighbourhood cut (a node is absent; messages from and to it are left out). Datagrams: also
  // after a restart whose older messages nobody remembers, after a restart of a receiver that may
  // have received them before, and if a receiver is further behind than its sender remembers; what
  // is in flight is then known to be a part of it. Streams of a service that notices breaks: a cut
  // of all nodes is always exact, and what is in flight between the nodes of a neighbourhood cut
  // is; a node whose streams are not known is left out. Streams of one that does not: as datagrams.
  bool exact = true;
  // Missing parts and the reasons, one sentence each; one per absent node first.
  std::vector<std::string> notes;
};

// Puts the checkpoints of one number together. `checkpoints` has one element per node; a null one
// makes the node absent, for `reasons[node]`; so may be nodes whose streams have gaps.
// Checkpoints may come from anywhere. FailedPrecondition, naming channel and both counts, if a
// message was received that was not sent (an orphan); InvalidArgument if there are not as many
// checkpoints as nodes, one cannot be that node's answer (see validate.h), or a state or message in
// flight is not one of the service; Unavailable if no node answered.
absl::StatusOr<Snapshot> Assemble(const model::Service& service, uint64_t number,
                                  std::span<const std::shared_ptr<const Checkpoint>> checkpoints,
                                  std::span<const std::string> reasons);

}  // namespace foretell::snapshot
