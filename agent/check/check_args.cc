#include "foretell/agent/check/check_args.h"

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"

namespace foretell::agent {

std::string CommandLine(const CheckArgs& args) {
  std::string line = absl::StrCat("foretell check ", ShellWord(args.service));
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) absl::StrAppend(&line, " ", option, " ", ShellWord(value));
  };
  add("--scenario", args.scenario);
  add("--bug", args.bug);
  add("--from", args.from);
  add("--engine", args.engine);
  add("--budget", args.budget);
  add("--steps", args.steps);
  add("--depth", args.depth);
  add("--memory", args.memory);
  add("--order", args.order);
  add("--assertions", args.assertions);
  add("--threads", args.threads);
  add("--components", args.components);
  add("--dependency", args.dependency);
  add("--journal", args.journal);
  if (args.all_invariants) line += " --all-invariants";
  for (const std::string& plugin : args.plugins) add("--plugin", plugin);
  return line;
}

}  // namespace foretell::agent
