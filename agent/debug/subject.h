#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/check/selection.h"
#include "foretell/model/cut.h"
#include "foretell/model/report.h"
#include "foretell/snapshot/protocol/recorded.h"

namespace foretell::agent {

// What to debug, as the user typed it; empty means not given.
struct SubjectRequest {
  // A service; or what `check --json`, `save` of the debugger or an agent wrote: FILE, FILE#N.
  std::string what;
  std::string scenario;   // Of a service.
  std::string bug;        // Of a service.
  std::string violation;  // Of a report: its number, from 1; default: the first.
  std::string imagine;    // Of a recorded cut: the space to start from, from 1; default: none.
  bool force = false;     // Also what another version of the service's code has recorded.
};

// A start, and what is known to lead from there to a violation.
struct Subject {
  Selection selection;
  std::string title;   // "paxos, scenario fresh, bug last-response, engine lmc".
  std::string engine;  // Who found the path; empty if there is none.
  model::SystemCut start;
  model::Path path;                           // May be empty.
  std::string invariant;                      // That the path breaks; empty if nobody claims that.
  std::shared_ptr<const model::Death> death;  // Of a liveness predicate; may be null.
  std::optional<snapshot::UnixTime> taken;    // When the start was recorded.
  std::vector<std::string> warnings;          // One sentence each.
};

// Errors name the file and what is wrong with it. The path was not replayed yet.
absl::StatusOr<Subject> LoadSubject(const SubjectRequest& request, const Parts& parts);

}  // namespace foretell::agent
