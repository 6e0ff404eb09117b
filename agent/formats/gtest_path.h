#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/family.h"

namespace foretell::agent {

// A path that broke an invariant, and how to come to its start.
struct BrokenPath {
  std::string service;
  std::string scenario;
  std::string bug;  // Empty: none.
  std::string invariant;
  std::string why;
  const model::System& system;    // The scenario's.
  const model::SystemCut& start;  // Of the path; may be another one than the scenario's.
  const model::Path& path;
  std::vector<std::string> plugins;  // Files that have the service; empty: it is built in.
};

// The path as a GoogleTest, a whole file: it takes the path's steps as far as they are possible and
// fails if an invariant breaks on the way. It knows steps by their texts and not by their bytes, so
// that it outlives changes of the encoding. Fails if the path does not replay.
absl::StatusOr<std::string> WriteGtest(const BrokenPath& broken);

}  // namespace foretell::agent
