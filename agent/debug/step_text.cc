#include "foretell/agent/debug/step_text.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/text_canvas.h"
#include "foretell/agent/drawing/wording.h"
#include "foretell/model/liveness/liveness.h"

namespace foretell::agent {
namespace {

// std::regex takes stack for every character.
constexpr size_t kLineMax = 4000;
constexpr size_t kPatternMax = 200;

const char* StatusText(model::NodeStatus status) {
  constexpr const char* kNames[] = {"up", "down", "failed", "absent"};
  return kNames[static_cast<size_t>(status)];
}

void TellCritical(const Session& session, const Screen& screen) {
  const size_t step = session.at().step;
  if (session.at().track != 0 || session.critical_step() != step) return;
  screen.Line(
      absl::StrCat(step == 0 ? "  the start is dead: " : "  the critical step: ", "from here on ",
                   session.subject().invariant, " can never hold",
                   session.subject().death->by_loss ? " if what is in flight is lost" : ""));
}

void TellStep(const Session& session, const Screen& screen) {
  const size_t step = session.at().step;
  const Execution& execution = session.execution();
  const std::string place =
      absl::StrCat(session.track().name, " step ", step, " of ", execution.steps());
  if (step == 0) {
    screen.Line(
        absl::StrCat(place, ": the start, ", session.state().in_flight.size(), " in flight"));
    TellCritical(session, screen);
    return;
  }
  screen.Line(absl::StrCat(place, ", ", EventLine(execution, step)));
  const Moment& moment = execution.MomentOf(step);
  for (const std::string& line : ChangeLines(moment.changes, "", screen.arrow())) {
    screen.Line(absl::StrCat("  ", line));
  }
  const std::vector<std::string> sends = SendTexts(moment);
  if (!sends.empty()) screen.Line(absl::StrCat("  sends ", absl::StrJoin(sends, "; ")));
  if (const size_t lost = LostInFlight(session.service(), execution, step); lost > 0) {
    screen.Line(absl::StrCat("  loses ", lost, " in flight"));
  }
  TellCritical(session, screen);
}

void TellWatch(const Session& session, const WatchedField& watch, const model::SystemCut& before,
               const Screen& screen) {
  bool any = false;
  for (uint32_t n = 0; n < session.node_count(); ++n) {
    if (watch.node && *watch.node != n) continue;
    const std::vector<model::Field> was = FieldsOf(session.service(), before, n);
    for (const model::Field& field : FieldsOf(session.service(), session.state(), n)) {
      if (!IsField(field.name, watch.field)) continue;
      any = true;
      const auto old = std::find_if(was.begin(), was.end(), [&](const model::Field& other) {
        return other.name == field.name;
      });
      const bool changed = old == was.end() || old->value != field.value;
      screen.Line(absl::StrCat("  watch node ", n, " ", field.name, ": ",
                               changed ? old == was.end() ? "-" : old->value : "",
                               changed ? absl::StrCat(" ", screen.arrow(), " ") : "", field.value));
    }
  }
  if (!any) screen.Line(absl::StrCat("  watch ", watch.field, ": no such field here"));
}

}  // namespace

void Screen::Line(const std::string& text) const { out << Printable(text, style.utf8) << "\n"; }

std::string EventLine(const Execution& execution, size_t step) {
  const Moment& moment = execution.MomentOf(step);
  const std::string choices = ChoicesText(moment);
  std::string line = absl::StrCat("node ", execution.StepAt(step).node.value(), ": ",
                                  EventText(moment), choices.empty() ? "" : ", ", choices);
  if (moment.sent_at) absl::StrAppend(&line, ", sent in step ", *moment.sent_at + 1);
  return line;
}

size_t LostInFlight(const model::Service& service, const Execution& execution, size_t step) {
  // A datagram that gets lost is one that never arrives: no step does that.
  if (service.network().kind != model::NetworkKind::kStreams) return 0;
  const bool arrives = execution.StepAt(step).event.kind == model::EventKind::kDeliver;
  return execution.At(step - 1).in_flight.size() + execution.EffectOf(step).sent.size() -
         (arrives ? 1 : 0) - execution.At(step).in_flight.size();
}

std::vector<model::Field> FieldsOf(const model::Service& service, const model::SystemCut& cut,
                                   uint32_t node) {
  const model::NodeState& state = cut.nodes[node];
  std::vector<model::Field> fields;
  if (state.status == model::NodeStatus::kFailed) {
    return {{"node", absl::StrCat("failed: ", Printable(state.body, true))}};
  }
  if (state.status != model::NodeStatus::kUp) fields.push_back({"node", StatusText(state.status)});
  if (model::IsSilent(state)) return fields;
  for (const model::Field& field : service.RenderState(model::NodeId(node), state.body)) {
    fields.push_back({Printable(field.name, true), Printable(field.value, true)});
  }
  return fields;
}

bool IsField(const std::string& field, const std::string& wanted) {
  if (!field.starts_with(wanted)) return false;
  return field.size() == wanted.size() || wanted.empty() || field[wanted.size()] == '.' ||
         field[wanted.size()] == '[';
}

std::vector<std::string> StateLines(const model::Service& service, const model::SystemCut& cut) {
  std::vector<std::string> lines;
  for (uint32_t n = 0; n < cut.nodes.size(); ++n) {
    for (const model::Field& field : FieldsOf(service, cut, n)) {
      lines.push_back(absl::StrCat("node ", n, ": ", field.name, "=", field.value));
    }
  }
  return lines;
}

std::vector<std::string> BrokenLines(const model::PlainSystem& system, const TerminalStyle& style) {
  std::vector<std::string> lines;
  for (const std::string& name : system.Violated()) {
    lines.push_back(
        absl::StrCat(style.utf8 ? "✗ " : "! ", name, " does not hold: ", system.Explain(name)));
  }
  return lines;
}

absl::StatusOr<std::regex> ReadPattern(const std::string& pattern) {
  if (pattern.size() > kPatternMax) {
    return absl::InvalidArgumentError(absl::StrCat("the regular expression has ", pattern.size(),
                                                   " characters, at most ", kPatternMax));
  }
  // The one place where the exceptions of std::regex end.
  try {
    return std::regex(pattern, std::regex::ECMAScript);
  } catch (const std::regex_error&) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", pattern, "' is no regular expression (ECMAScript)"));
  }
}

bool Matches(const std::string& line, const std::regex& pattern) {
  try {
    return std::regex_search(line.substr(0, kLineMax), pattern);
  } catch (const std::regex_error&) {
    return false;  // Too complex for this line, says the library.
  }
}

std::function<bool(size_t step)> ShownSteps(const Session& session) {
  const StepFilter& filter = session.filter;
  const auto event = std::make_shared<absl::StatusOr<std::regex>>(ReadPattern(filter.event));
  const auto state = std::make_shared<absl::StatusOr<std::regex>>(ReadPattern(filter.state));
  return [&session, &filter, event, state](size_t step) {
    const Execution& execution = session.execution();
    if (filter.node && execution.StepAt(step).node.value() != *filter.node) return false;
    if (!filter.event.empty() && !Matches(EventLine(execution, step), **event)) return false;
    if (filter.state.empty()) return true;
    const auto lines = StateLines(session.service(), execution.At(step));
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return Matches(line, **state); });
  };
}

void Tell(const Session& session, const model::SystemCut& before, const Screen& screen) {
  TellStep(session, screen);
  for (const std::string& line : BrokenLines(session.system(), screen.style)) {
    screen.out << "  " << Coloured(Printable(line, screen.style.utf8), Colour::kBad, screen.style)
               << "\n";
  }
  for (const WatchedField& watch : session.watches) TellWatch(session, watch, before, screen);
}

}  // namespace foretell::agent
