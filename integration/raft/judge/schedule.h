#pragma once

// An order of events in a Raft cluster: all that the judge (judge.h) gets from a path. What nodes
// hold and send meanwhile is not part of it; the judge's own servers say that.

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/integration/raft/values/messages.h"
#include "foretell/model/event.h"

namespace foretell::integration::raft {

struct Happening {
  model::EventKind kind = model::EventKind::kAction;
  unsigned server = 0;   // From 0.
  unsigned peer = 0;     // kDeliver: the sender.
  Message message;       // kDeliver.
  Action action;         // kAction.
  bool failing = false;  // A disk operation within the event was chosen to fail.
  // kRestart: of the disk operations that were under way at the crash, this many were done, the
  // oldest first.
  size_t written = 0;
};

using Schedule = std::vector<Happening>;

// InvalidArgument, naming the step, if `path` is not one of the Raft service.
absl::StatusOr<Schedule> ScheduleOf(const model::Path& path);

// Messages with equal keys are the same to a protocol. A configuration counts as such, whatever it
// says: addresses are up to who starts the servers.
std::string Key(Message message);

// For people: "server 2 receives RequestVote(term=2, ...) from server 1". Servers have the
// library's numbers, from 1.
std::string Text(const Happening& happening);

}  // namespace foretell::integration::raft
