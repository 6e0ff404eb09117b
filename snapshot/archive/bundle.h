#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/model/event.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/snapshot/node/filter.h"
#include "foretell/snapshot/protocol/recorded.h"
#include "foretell/snapshot/storage/file_system.h"

namespace foretell::snapshot {

// A predicted violation with all that is needed to see it again, in one file.
struct Bundle {
  RecordedSnapshot recorded;
  model::SystemCut imagined;  // The cut with what the test driver may do; where the path starts.
  model::SystemCut focus;     // The part of it that matters, to draw from; empty in older files.
  std::string invariant;
  std::string text;  // The fault at the end of the path.
  model::Path path;
  std::string engine;
  std::string decision;      // Names what was done about it in the audit log; empty: nothing was.
  std::string command;       // The command that replays it.
  std::vector<Filter> plan;  // Filters that would stop it; empty if none would.
  std::string plan_text;
  // Set iff the invariant is a liveness predicate and the end of the path is dead. Without kinds,
  // blame and cycle, which nobody asks for live.
  std::shared_ptr<const model::Death> death;
  std::vector<std::string> plugins;  // As the agent was given them; where the service came from.
  // Of what has happened: the cuts before, the oldest first, as far as they are known.
  std::vector<RecordedSnapshot> earlier;
};

// All or nothing, and on the disk when it returns. ResourceExhausted if there is no room.
absl::Status WriteBundle(const std::string& path, const Bundle& bundle, FileSystem& files = Disk());

// The file may come from anywhere. Errors name the path and what is wrong with it. Whether states
// and messages are those of a service is not looked at.
absl::StatusOr<Bundle> ReadBundle(const std::string& path, FileSystem& files = Disk());

}  // namespace foretell::snapshot
