#include "foretell/tests/scenarios/runner.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"
#include "foretell/model/nearest_name.h"
#include "foretell/tests/scenarios/masks.h"
#include "foretell/tests/scenarios/verbs.h"

namespace foretell::scenarios {
namespace {

Reaction React(const Block& block, Stage& stage) {
  auto words = WordsOf(block.command);
  if (!words.ok()) return words.status();
  if (words->empty()) return absl::InvalidArgumentError("a command of blanks");
  Command command{.verb = words->front(), .words = {words->begin() + 1, words->end()}};
  for (const std::string& line : block.input) {
    if (!line.starts_with("#")) command.input.push_back(line);
  }
  if (const Verb* const verb = FindVerb(command.verb)) return verb->run(command, stage);
  std::vector<std::string> names;
  for (const Verb& verb : AllVerbs()) names.emplace_back(verb.name);
  return model::UnknownName("verb", command.verb, names);
}

}  // namespace

absl::StatusOr<Story> Play(const std::string& file, Story story) {
  Stage stage;
  for (Block& block : story.blocks) {
    Reaction reaction = React(block, stage);
    if (reaction.ok() && !reaction->empty() && reaction->back() != '\n') *reaction += '\n';
    if (reaction.ok() && !CanBeTold(*reaction)) {
      reaction = absl::InvalidArgumentError("a line ---- of the reaction would end it");
    }
    if (!reaction.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(file, ":", block.line, ": ", std::string(reaction.status().message())));
    }
    block.reaction = Masked(*reaction);
  }
  return story;
}

std::string Mismatches(const std::string& file, const Story& expected, const Story& actual) {
  FORETELL_CHECK(expected.blocks.size() == actual.blocks.size());
  std::string out;
  for (size_t i = 0; i < expected.blocks.size(); ++i) {
    const Block& block = expected.blocks[i];
    const std::string difference = Difference(block.reaction, actual.blocks[i].reaction);
    if (difference.empty()) continue;
    absl::StrAppend(&out, file, ":", block.line, ": ", block.command, "\n", difference);
  }
  return out;
}

}  // namespace foretell::scenarios
