// Commands about what else could happen, and about executions.

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/debug/commands.h"
#include "foretell/agent/debug/saved_path.h"
#include "foretell/agent/debug/step_text.h"
#include "foretell/agent/drawing/wording.h"

namespace foretell::agent {
namespace {

// A step that is possible where we are, and what it would do.
struct Option {
  model::PathStep step;
  std::string event;
  std::vector<std::string> effects;
};

std::vector<std::string> EffectsOf(const Session& session, const Execution& after,
                                   const Screen& screen) {
  const size_t step = after.steps();
  const Moment& moment = after.MomentOf(step);
  std::vector<std::string> lines = ChangeLines(moment.changes, "", screen.arrow());
  std::vector<std::string> sends;
  for (const SentMessage& sent : moment.sends) {
    sends.push_back(absl::StrCat(ShortLabel(sent.label), " to ", sent.to));
  }
  if (!sends.empty()) lines.push_back(absl::StrCat("sends ", absl::StrJoin(sends, ", ")));
  if (const size_t lost = LostInFlight(session.service(), after, step); lost > 0) {
    lines.push_back(absl::StrCat("loses ", lost, " in flight"));
  }
  const model::PlainSystem system(session.service(), after.At(step));
  for (std::string& line : BrokenLines(system, screen.style)) lines.push_back(std::move(line));
  if (lines.empty()) lines.push_back("changes nothing");
  return lines;
}

// In the order of PlainSystem::Enabled, which is fixed: numbers stay what they are.
absl::StatusOr<std::vector<Option>> OptionsOf(const Session& session, const Screen& screen) {
  std::vector<Option> options;
  for (model::PathStep& step : session.system().Enabled()) {
    // One step from here: how we came here does not matter to what it does.
    const auto after = Execution::Make(session.service(), session.state(), {step});
    if (!after.ok()) return after.status();
    options.push_back({std::move(step), EventLine(*after, 1), EffectsOf(session, *after, screen)});
  }
  return options;
}

absl::StatusOr<const Option*> Choose(const std::vector<Option>& options, const std::string& word) {
  size_t number = 0;
  if (absl::SimpleAtoi(word, &number)) {
    if (number >= 1 && number <= options.size()) return &options[number - 1];
    return absl::OutOfRangeError(absl::StrCat(
        "there is no enabled event ", number, options.empty() ? ", none is" : ", the last is ",
        options.empty() ? "" : std::to_string(options.size())));
  }
  const auto pattern = ReadPattern(word);
  if (!pattern.ok()) return pattern.status();
  std::vector<const Option*> found;
  for (const Option& option : options) {
    if (Matches(option.event, *pattern)) found.push_back(&option);
  }
  if (found.size() == 1) return found.front();
  return absl::FailedPreconditionError(
      absl::StrCat(found.empty() ? "no" : std::to_string(found.size()), " enabled event",
                   found.size() == 1 ? "" : "s", " of ", options.size(), " match", " '", word,
                   "'; `enabled` lists them, and a number takes one"));
}

}  // namespace

absl::Status RunEnabled(Session& session, const Words& words, const Screen& screen) {
  const auto pattern = ReadPattern(words.empty() ? "" : words[0]);
  if (!pattern.ok()) return pattern.status();
  const auto options = OptionsOf(session, screen);
  if (!options.ok()) return options.status();
  const size_t here = session.at().step;
  for (size_t i = 0; i < options->size(); ++i) {
    const Option& option = (*options)[i];
    if (!Matches(option.event, *pattern)) continue;
    const bool next =
        here < session.execution().steps() && session.execution().StepAt(here + 1) == option.step;
    const std::string number = std::to_string(i + 1);
    screen.Line(
        absl::StrCat(next ? ">" : " ", number.size() < 2 ? " " : "", number, "  ", option.event));
    for (const std::string& line : option.effects) screen.Line(absl::StrCat("       ", line));
  }
  screen.Line(absl::StrCat(options->size(), options->size() == 1 ? " event is" : " events are",
                           " enabled"));
  return absl::OkStatus();
}

absl::Status RunTake(Session& session, const Words& words, const Screen& screen) {
  const auto options = OptionsOf(session, screen);
  if (!options.ok()) return options.status();
  const auto option = Choose(*options, words[0]);
  if (!option.ok()) return option.status();
  const model::SystemCut before = session.state();
  if (absl::Status taken = session.Take((*option)->step); !taken.ok()) return taken;
  Tell(session, before, screen);
  return absl::OkStatus();
}

absl::Status RunExecutions(Session& session, const Words&, const Screen& screen) {
  for (size_t i = 0; i < session.tracks().size(); ++i) {
    const Track& track = session.tracks()[i];
    const size_t steps = track.execution.steps();
    const auto broken = model::PlainSystem(session.service(), track.execution.At(steps)).Violated();
    screen.Line(absl::StrCat(i == session.at().track ? "> " : "  ", track.name, ": ", steps,
                             steps == 1 ? " step, " : " steps, ", track.text,
                             broken.empty() ? "" : "; breaks ", absl::StrJoin(broken, ", ")));
  }
  return absl::OkStatus();
}

absl::Status RunUse(Session& session, const Words& words, const Screen& screen) {
  const model::SystemCut before = session.state();
  if (absl::Status used = session.Use(words[0]); !used.ok()) return used;
  Tell(session, before, screen);
  return absl::OkStatus();
}

absl::Status RunOpen(Session& session, const Words& words, const Screen& screen) {
  const auto name = session.OpenRecord(words[0]);
  if (!name.ok()) return name.status();
  screen.Line(absl::StrCat("opened as ", *name));
  return absl::OkStatus();
}

absl::Status RunSave(Session& session, const Words& words, const Screen& screen) {
  const auto text = SavedPath(session.subject(), session.execution());
  if (!text.ok()) return text.status();
  if (absl::Status written = WriteFileAtomically(words[0], *text); !written.ok()) return written;
  screen.Line(absl::StrCat("saved ", session.track().name, " to ", words[0]));
  return absl::OkStatus();
}

}  // namespace foretell::agent
