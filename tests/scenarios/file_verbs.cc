// Files of the story's folder, and who reads.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "foretell/tests/scenarios/verbs.h"

namespace foretell::scenarios {

Reaction SetTerminal(const Command& command, Stage& stage) {
  if (command.words.size() != 2) {
    return absl::InvalidArgumentError("usage: terminal utf8|ascii COLUMNS");
  }
  const std::string& letters = command.words[0];
  uint32_t columns = 0;
  if ((letters != "utf8" && letters != "ascii") || !absl::SimpleAtoi(command.words[1], &columns)) {
    return absl::InvalidArgumentError("usage: terminal utf8|ascii COLUMNS");
  }
  stage.style = {.utf8 = letters == "utf8", .columns = columns};
  return "";
}

Reaction WriteText(const Command& command, Stage&) {
  if (command.words.empty()) return absl::InvalidArgumentError("usage: write FILE [--append]");
  const auto mode = command.Has("--append") ? std::ios::app : std::ios::trunc;
  std::ofstream file(command.words[0], mode);
  for (const std::string& line : command.input) file << line << "\n";
  return "";
}

Reaction SizeOfFile(const Command& command, Stage&) {
  if (command.words.size() != 1) return absl::InvalidArgumentError("usage: size FILE");
  if (!std::filesystem::exists(command.words[0])) return "there is no such file\n";
  const std::string text = snapshot::Contents(command.words[0]);
  return absl::StrCat(std::count(text.begin(), text.end(), '\n'), " lines, ", text.size(),
                      " bytes\n");
}

}  // namespace foretell::scenarios
