#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "foretell/tests/scenarios/story.h"

namespace foretell::scenarios {

// The story with the reactions that the system shows now. InvalidArgument, as "file:line: what",
// for an unknown verb and for commands that make no sense.
absl::StatusOr<Story> Play(const std::string& file, Story story);

// Where two tellings of a story differ, with "file:line:" and a difference each; empty if nowhere.
// REQUIRES: both have the same commands.
std::string Mismatches(const std::string& file, const Story& expected, const Story& actual);

}  // namespace foretell::scenarios
