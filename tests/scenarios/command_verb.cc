// The program's own commands, in this process.

#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/command_line.h"
#include "foretell/tests/scenarios/verbs.h"

namespace foretell::scenarios {

Reaction RunCommandLine(const Command& command, Stage& stage) {
  std::vector<std::string> args = command.words;
  if (command.verb != "foretell") args.insert(args.begin(), command.verb);
  std::ostringstream out;
  std::ostringstream err;
  agent::Console console{.out = out,
                         .err = err,
                         .out_style = stage.style,
                         .err_style = stage.style,
                         .now = [] { return agent::Console::Time(); },
                         .interrupted = [] { return false; }};
  const int code = agent::RunForetell(args, stage.parts, console);
  return absl::StrCat(out.str(), err.str(), "exit ", code, "\n");
}

Reaction RunDebugScript(const Command& command, Stage& stage) {
  Command with_script = command;
  std::ofstream script("debug.script");
  for (const std::string& line : command.input) script << line << "\n";
  script.close();
  with_script.words.insert(with_script.words.end(), {"--script", "debug.script"});
  return RunCommandLine(with_script, stage);
}

}  // namespace foretell::scenarios
