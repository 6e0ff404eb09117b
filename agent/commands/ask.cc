#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/demo/node_client.h"

namespace foretell::agent {
namespace {

// `foretell call` and `foretell ask`, as the user typed them.
struct AskArgs {
  std::string address;
  std::vector<std::string> words;
};

// What a node says about itself, in lines; what else there is changes something, and is not asked.
constexpr const char* kAboutItself[] = {"calls", "state", "projections", "stats", "events"};

std::string Show(const std::string& text, const Console& console) {
  return Printable(text, console.out_style.utf8) + "\n";
}

absl::StatusOr<std::string> WordsOf(const AskArgs& args) {
  std::string text = absl::StrJoin(args.words, " ");
  if (text.find_first_of("\r\n") == std::string::npos) return text;
  return absl::InvalidArgumentError("a node is asked in one line");
}

// "ok REST", "refused DECISION REASON" or "error REASON". Returns an ExitCode.
int Tell(const std::string& answer, Console& console) {
  const size_t space = answer.find(' ');
  const std::string word = answer.substr(0, space);
  const std::string rest = space == std::string::npos ? "" : answer.substr(space + 1);
  if (word == "ok") {
    console.out << Show(rest, console);
    return kExitNothing;
  }
  if (word == "refused") {
    console.err << Printable("refused by decision " + rest, console.err_style.utf8) << "\n";
    return kExitViolation;
  }
  return Fail(console, absl::FailedPreconditionError(word == "error" ? rest : answer));
}

int RunCall(const AskArgs& args, Console& console) {
  const auto node = ParseClientAddress(args.address);
  if (!node.ok()) return Fail(console, node.status());
  const auto words = WordsOf(args);
  if (!words.ok()) return Fail(console, words.status());
  const auto answer = AskNode(*node, "call " + *words);
  return answer.ok() ? Tell(*answer, console) : Fail(console, answer.status());
}

int RunAsk(const AskArgs& args, Console& console) {
  const auto node = ParseClientAddress(args.address);
  if (!node.ok()) return Fail(console, node.status());
  const auto words = WordsOf(args);
  if (!words.ok()) return Fail(console, words.status());
  const bool itself =
      std::find(std::begin(kAboutItself), std::end(kAboutItself), *words) != std::end(kAboutItself);
  if (!itself) {
    const auto answer = AskNode(*node, "ask " + *words);
    return answer.ok() ? Tell(*answer, console) : Fail(console, answer.status());
  }
  const auto lines = AskNodeAll(*node, *words);
  if (!lines.ok()) return Fail(console, lines.status());
  for (const std::string& line : *lines) console.out << Show(line, console);
  return kExitNothing;
}

CLI::App* AddApp(CLI::App& root, const char* name, const char* text, const char* what,
                 const char* what_text, AskArgs& args) {
  CLI::App* const app = root.add_subcommand(name, text);
  app->add_option("ADDRESS", args.address, "The client port of the node (--client): HOST:PORT")
      ->required()
      ->type_name("");
  app->add_option(what, args.words, what_text)->required()->type_name("");
  return app;
}

}  // namespace

Command AddCall(CLI::App& root, const Parts&) {
  auto args = std::make_shared<AskArgs>();
  CLI::App* const app =
      AddApp(root, "call", "Make a live node do something, as its application would", "ACTION",
             "As `foretell ask ADDRESS calls` lists it", *args);
  app->footer(
      "Exit code: 0 done, 1 refused by an agent, 2 it cannot be called now, or bad usage.\n\n"
      "Example:\n"
      "  foretell call 127.0.0.1:8000 'Propose(index=4)'");
  return {app, std::make_shared<std::vector<std::string>>(),
          [args](const Parts&, Console& console) { return RunCall(*args, console); }};
}

Command AddAsk(CLI::App& root, const Parts&) {
  auto args = std::make_shared<AskArgs>();
  CLI::App* const app = AddApp(root, "ask", "Ask a live node about itself", "QUESTION",
                               "calls, state, projections, stats, events;\n"
                               "anything else is a question of the service's own",
                               *args);
  app->footer(
      "Exit code: 0 answered, 2 not answered, or bad usage.\n\n"
      "Example:\n"
      "  foretell ask 127.0.0.1:8000 state");
  return {app, std::make_shared<std::vector<std::string>>(),
          [args](const Parts&, Console& console) { return RunAsk(*args, console); }};
}

}  // namespace foretell::agent
