#include "foretell/agent/debug/command_loop.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/text_canvas.h"
#include "foretell/agent/guard/watched_service.h"
#include "foretell/model/liveness/liveness.h"

namespace foretell::agent {
namespace {

constexpr size_t kLineMax = 4096;

absl::Status CheckWordCount(const DebugCommand& command, const Words& words) {
  if (words.size() >= command.words_least && words.size() <= command.words_most) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(words.size() < command.words_least ? "something is missing" : "too many words",
                   "; usage: ", command.name, command.arguments[0] == 0 ? "" : " ",
                   command.arguments, ", for example: ", command.example));
}

void GreetDead(const model::Death& death, const Screen& screen) {
  if (death.cycle_from > 0) {
    screen.Line(absl::StrCat("cycle: from step ", death.cycle_from, " on, again and again"));
    return;
  }
  screen.Line(absl::StrCat("critical step: ", death.critical_step,
                           death.by_loss ? ", if what is in flight is lost" : ""));
  for (const model::Cure& cure : death.cures) {
    screen.Line(absl::StrCat("  ", model::CureText(cure)));
  }
}

}  // namespace

void Greet(const Session& session, const Screen& screen) {
  const Subject& subject = session.subject();
  for (const std::string& warning : subject.warnings) screen.Line("warning: " + warning);
  screen.Line(subject.title);
  const size_t steps = session.execution().steps();
  const std::string why = model::PlainSystem(session.service(), session.execution().At(steps))
                              .Explain(subject.invariant);
  if (!subject.invariant.empty() && why.empty()) {
    screen.Line(absl::StrCat("warning: the path replays, but does not break ", subject.invariant));
  } else if (!subject.invariant.empty()) {
    screen.Line(absl::StrCat(steps, steps == 1 ? " step" : " steps", " to a violation of ",
                             subject.invariant, ": ", why));
  }
  if (subject.death != nullptr) GreetDead(*subject.death, screen);
}

absl::StatusOr<Words> SplitWords(const std::string& line) {
  Words words;
  char quote = 0;
  bool inside = false;
  for (const char c : line) {
    if (quote != 0 ? c == quote : c == '\'' || c == '"') {
      quote = quote != 0 ? '\0' : c;
      if (!inside) words.emplace_back();
      inside = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\r')) {
      inside = false;
    } else {
      if (!inside) words.emplace_back();
      inside = true;
      words.back().push_back(c);
    }
  }
  if (quote == 0) return words;
  return absl::InvalidArgumentError(
      absl::StrCat("a quote ", std::string(1, quote), " is not closed"));
}

absl::Status RunLine(const std::string& line, Session& session, const Screen& screen) {
  if (line.size() > kLineMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("the line has ", line.size(), " characters, at most ", kLineMax));
  }
  auto words = SplitWords(line);
  if (!words.ok()) return words.status();
  if (words->empty() || words->front().starts_with("#")) return absl::OkStatus();
  const auto command = FindCommand(words->front());
  if (!command.ok()) return command.status();
  words->erase(words->begin());
  if (absl::Status enough = CheckWordCount(**command, *words); !enough.ok()) return enough;
  // A service that throws spoils one answer, not the session.
  try {
    return (*command)->run(session, *words, screen);
  } catch (const ServiceThrew& e) {
    return absl::FailedPreconditionError(e.what());
  }
}

std::string PromptOf(const Session& session) {
  return absl::StrCat(session.track().name, " ", session.at().step, "/",
                      session.execution().steps(), "> ");
}

std::vector<std::string> Completions(const Session& session, const std::string& line) {
  const size_t space = line.find_last_of(" \t");
  const std::string begun = space == std::string::npos ? line : line.substr(space + 1);
  std::vector<std::string> known;
  if (space == std::string::npos) {
    for (const DebugCommand& command : DebugCommands()) known.push_back(command.name);
  } else {
    const auto words = SplitWords(line.substr(0, space));
    if (!words.ok() || words->empty()) return {};
    const auto command = FindCommand(words->front());
    if (!command.ok() || (*command)->complete == nullptr) return {};
    known = (*command)->complete(session);
  }
  std::vector<std::string> fitting;
  for (std::string& word : known) {
    if (word.starts_with(begun)) fitting.push_back(std::move(word));
  }
  return fitting;
}

size_t RunSession(Lines& lines, Session& session, const Screen& screen) {
  size_t wrong = 0;
  while (!session.done) {
    const std::optional<std::string> line = lines.Next(PromptOf(session));
    if (!line) break;
    const absl::Status status = RunLine(*line, session, screen);
    if (!status.ok()) {
      ++wrong;
      const std::string message = Printable(std::string(status.message()), screen.style.utf8);
      screen.out << Coloured("error: " + message, Colour::kBad, screen.style) << "\n";
    }
    screen.out << std::flush;
  }
  return wrong;
}

}  // namespace foretell::agent
