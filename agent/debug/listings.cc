// Commands that list steps, and what is listed.

#include <map>

#include "absl/strings/str_cat.h"
#include "foretell/agent/debug/commands.h"
#include "foretell/agent/debug/step_text.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

// ">  3  node 1: Vote(yes=yes) from 2": the step where we are is marked.
void TellStepLine(const Session& session, size_t step, const Screen& screen) {
  const Execution& execution = session.execution();
  const std::string number = std::to_string(step);
  const std::string pad(number.size() < 4 ? 4 - number.size() : 0, ' ');
  const model::PlainSystem system(session.service(), execution.At(step));
  const bool broken = !system.Violated().empty();
  screen.Line(absl::StrCat(step == session.at().step ? ">" : " ", pad, number, "  ",
                           step == 0 ? "the start" : EventLine(execution, step),
                           broken ? screen.style.utf8 ? "  ✗" : "  !" : ""));
}

void TellCount(size_t count, const Session& session, const Screen& screen) {
  screen.Line(absl::StrCat(count, " of ", session.execution().steps(), " steps"));
}

// What an event is called: its message or action, else its kind.
std::string NameOf(const Moment& moment) {
  return moment.name.empty() ? model::KindName(moment.kind) : moment.name;
}

// Reads "event REGEX" or "state REGEX" into the part of `filter` that it is about.
absl::Status ReadFilter(const Words& words, StepFilter& filter) {
  if (words[0] != "event" && words[0] != "state") {
    return model::UnknownName("kind of filter", words[0], {"event", "state"});
  }
  if (words.size() < 2) {
    return absl::InvalidArgumentError(absl::StrCat(words[0], ": give a regular expression"));
  }
  if (const auto pattern = ReadPattern(words[1]); !pattern.ok()) return pattern.status();
  (words[0] == "event" ? filter.event : filter.state) = words[1];
  return absl::OkStatus();
}

void TellFilter(const Session& session, const Screen& screen) {
  const StepFilter& filter = session.filter;
  std::string text;
  if (filter.node) absl::StrAppend(&text, ", of node ", *filter.node);
  if (!filter.event.empty()) absl::StrAppend(&text, ", whose event matches ", filter.event);
  if (!filter.state.empty()) absl::StrAppend(&text, ", where the state matches ", filter.state);
  const auto shown = ShownSteps(session);
  size_t count = 0;
  for (size_t step = 1; step <= session.execution().steps(); ++step) count += shown(step) ? 1 : 0;
  screen.Line(absl::StrCat(text.empty() ? "every step" : absl::StrCat("steps", text.substr(1)),
                           ": ", count, " of ", session.execution().steps()));
}

}  // namespace

absl::Status RunSteps(Session& session, const Words& words, const Screen& screen) {
  size_t from = 0;
  size_t to = session.execution().steps();
  for (size_t i = 0; i < words.size(); ++i) {
    const auto place = session.ReadPlace(words[i]);
    if (!place.ok()) return place.status();
    (i == 0 ? from : to) = place->step;
  }
  const auto shown = ShownSteps(session);
  size_t count = 0;
  for (size_t step = from; step <= to; ++step) {
    if (step > 0 && !shown(step)) continue;
    TellStepLine(session, step, screen);
    count += step > 0 ? 1 : 0;
  }
  TellCount(count, session, screen);
  return absl::OkStatus();
}

absl::Status RunEvents(Session& session, const Words& words, const Screen& screen) {
  const Execution& execution = session.execution();
  std::map<std::string, std::vector<size_t>> by_name;
  for (size_t step = 1; step <= execution.steps(); ++step) {
    by_name[NameOf(execution.MomentOf(step))].push_back(step);
  }
  if (words.empty()) {
    for (const auto& [name, steps] : by_name) {
      screen.Line(
          absl::StrCat("  ", name, ": ", steps.size(), steps.size() == 1 ? " step" : " steps"));
    }
    return absl::OkStatus();
  }
  const auto found = by_name.find(words[0]);
  if (found == by_name.end()) {
    std::vector<std::string> names;
    for (const auto& [name, steps] : by_name) names.push_back(name);
    return model::UnknownName(absl::StrCat("event of ", session.track().name), words[0], names);
  }
  for (const size_t step : found->second) TellStepLine(session, step, screen);
  TellCount(found->second.size(), session, screen);
  return absl::OkStatus();
}

absl::Status RunFind(Session& session, const Words& words, const Screen& screen) {
  const StepFilter kept = session.filter;
  StepFilter wanted;
  if (absl::Status read = ReadFilter(words, wanted); !read.ok()) return read;
  session.filter = wanted;
  const auto shown = ShownSteps(session);
  size_t count = 0;
  for (size_t step = 1; step <= session.execution().steps(); ++step) {
    if (!shown(step)) continue;
    TellStepLine(session, step, screen);
    ++count;
  }
  TellCount(count, session, screen);
  session.filter = kept;
  return absl::OkStatus();
}

absl::Status RunFilter(Session& session, const Words& words, const Screen& screen) {
  if (words.size() == 1 && words[0] == "off") {
    session.filter.event.clear();
    session.filter.state.clear();
  } else if (!words.empty()) {
    if (absl::Status read = ReadFilter(words, session.filter); !read.ok()) return read;
  }
  TellFilter(session, screen);
  return absl::OkStatus();
}

absl::Status RunNode(Session& session, const Words& words, const Screen& screen) {
  if (!words.empty() && words[0] == "all") {
    session.filter.node.reset();
  } else if (!words.empty()) {
    const auto node = session.ReadNode(words[0]);
    if (!node.ok()) return node.status();
    session.filter.node = *node;
  }
  TellFilter(session, screen);
  return absl::OkStatus();
}

}  // namespace foretell::agent
