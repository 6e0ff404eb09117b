// The program's own commands, in this process.

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
  agent::Streams streams{.out = out,
                         .err = err,
                         .out_look = stage.look,
                         .err_look = stage.look,
                         .now = [] { return agent::Streams::Time(); },
                         .interrupted = [] { return false; }};
  const int code = agent::RunForetell(args, stage.parts, streams);
  return absl::StrCat(out.str(), err.str(), "exit ", code, "\n");
}

}  // namespace foretell::scenarios
