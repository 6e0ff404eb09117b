#pragma once

// What a story can do. A new verb is a function in a file of its own and a row of the table.

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/tests/scenarios/stage.h"

namespace foretell::scenarios {

// A command of a story, taken apart.
struct Command {
  std::string verb;
  std::vector<std::string> words;  // Behind the verb.
  std::vector<std::string> input;  // Without comments.

  // The word behind the option `name`, "" if it is not there.
  std::string Option(const std::string& name) const;
  bool Has(const std::string& name) const;
};

// The reaction; a status if the command itself makes no sense, which is a mistake in the story.
using Reaction = absl::StatusOr<std::string>;

struct Verb {
  const char* name;
  const char* text;  // One line.
  Reaction (*run)(const Command& command, Stage& stage);
};

std::span<const Verb> AllVerbs();

// The row `name`; null if there is none.
const Verb* FindVerb(const std::string& name);

Reaction RunCommandLine(const Command& command, Stage& stage);
Reaction RunDebugScript(const Command& command, Stage& stage);
Reaction SetTerminal(const Command& command, Stage& stage);
Reaction WriteText(const Command& command, Stage& stage);
Reaction SizeOfFile(const Command& command, Stage& stage);
Reaction WalkPath(const Command& command, Stage& stage);
Reaction RecordSnapshot(const Command& command, Stage& stage);
Reaction RecordBundle(const Command& command, Stage& stage);
Reaction BeginCluster(const Command& command, Stage& stage);
Reaction RunCluster(const Command& command, Stage& stage);
Reaction AssembleCut(const Command& command, Stage& stage);
Reaction Simulate(const Command& command, Stage& stage);

}  // namespace foretell::scenarios
