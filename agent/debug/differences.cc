// The command `diff`: two steps, two executions, two nodes.

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/text_canvas.h"
#include "foretell/agent/debug/commands.h"
#include "foretell/agent/debug/step_text.h"
#include "foretell/agent/drawing/state_changes.h"

namespace foretell::agent {
namespace {

std::string PlaceText(const Session& session, StepPlace place) {
  return absl::StrCat(session.tracks()[place.track].name, ":", place.step);
}

void TellSide(const char* sign, const std::string& text, Colour colour, const Screen& screen) {
  screen.out << Coloured(absl::StrCat(sign, " ", Printable(text, screen.style.utf8)), colour,
                         screen.style)
             << "\n";
}

// As figure 3 of the MaceMC paper: what the one has, then what the other has.
size_t TellChanges(const std::string& where, const std::vector<Change>& changes,
                   const Screen& screen) {
  if (changes.empty()) return 0;
  screen.Line(where);
  for (const Change& change : changes) {
    if (!change.appears) {
      TellSide("-", absl::StrCat("  ", change.name, " = ", change.before), Colour::kBad, screen);
    }
    if (!change.vanishes) {
      TellSide("+", absl::StrCat("  ", change.name, " = ", change.after), Colour::kGood, screen);
    }
  }
  return changes.size();
}

// Messages of `some` that are not among `others`, each as often as it is missing.
std::vector<model::Message> Missing(const std::vector<model::Message>& some,
                                    std::vector<model::Message> others) {
  std::vector<model::Message> missing;
  for (const model::Message& message : some) {
    const auto found = std::find(others.begin(), others.end(), message);
    if (found == others.end()) {
      missing.push_back(message);
    } else {
      others.erase(found);
    }
  }
  return missing;
}

size_t TellMessages(const Session& session, const model::SystemCut& a, const model::SystemCut& b,
                    const Screen& screen) {
  const auto only_a = Missing(a.in_flight, b.in_flight);
  const auto only_b = Missing(b.in_flight, a.in_flight);
  if (only_a.empty() && only_b.empty()) return 0;
  screen.Line("in flight");
  const auto tell = [&](const char* sign, Colour colour, const model::Message& message) {
    TellSide(sign,
             absl::StrCat("  ", message.from.value(), " to ", message.to.value(), ": ",
                          session.service().RenderMessage(message.body)),
             colour, screen);
  };
  for (const model::Message& message : only_a) tell("-", Colour::kBad, message);
  for (const model::Message& message : only_b) tell("+", Colour::kGood, message);
  return only_a.size() + only_b.size();
}

absl::Status DiffPlaces(const Session& session, StepPlace a, StepPlace b, const Screen& screen) {
  screen.Line(absl::StrCat("- ", PlaceText(session, a)));
  screen.Line(absl::StrCat("+ ", PlaceText(session, b)));
  size_t count = 0;
  const model::SystemCut& before = session.StateAt(a);
  const model::SystemCut& after = session.StateAt(b);
  for (uint32_t n = 0; n < session.node_count(); ++n) {
    if (session.filter.node && *session.filter.node != n) continue;
    count += TellChanges(
        absl::StrCat("node ", n),
        StateChanges(session.service(), model::NodeId(n), before.nodes[n], after.nodes[n]), screen);
  }
  if (!session.filter.node) count += TellMessages(session, before, after, screen);
  if (count == 0) screen.Line("no difference");
  return absl::OkStatus();
}

// Each rendered as what it is: a service may tell fields of one node in other ways than those of
// another.
std::vector<Change> NodeDifferences(const Session& session, uint32_t a, uint32_t b) {
  std::map<std::string, Change> by_name;
  for (const model::Field& field : FieldsOf(session.service(), session.state(), a)) {
    by_name[field.name] = {.name = field.name, .before = field.value, .vanishes = true};
  }
  for (const model::Field& field : FieldsOf(session.service(), session.state(), b)) {
    Change& change = by_name[field.name];
    change.appears = change.name.empty();
    change.name = field.name;
    change.after = field.value;
    change.vanishes = false;
  }
  std::vector<Change> changes;
  for (const auto& [name, change] : by_name) {
    if (change.appears || change.vanishes || change.before != change.after) {
      changes.push_back(change);
    }
  }
  return changes;
}

absl::Status DiffNodes(const Session& session, const Words& words, const Screen& screen) {
  if (words.size() != 3) return absl::InvalidArgumentError("give two nodes: diff node 0 1");
  const auto a = session.ReadNode(words[1]);
  if (!a.ok()) return a.status();
  const auto b = session.ReadNode(words[2]);
  if (!b.ok()) return b.status();
  screen.Line(absl::StrCat("- node ", *a));
  screen.Line(absl::StrCat("+ node ", *b));
  const size_t count =
      TellChanges(PlaceText(session, session.at()), NodeDifferences(session, *a, *b), screen);
  if (count == 0) screen.Line("no difference");
  return absl::OkStatus();
}

}  // namespace

absl::Status RunDiff(Session& session, const Words& words, const Screen& screen) {
  if (words[0] == "node") return DiffNodes(session, words, screen);
  if (words.size() > 2) {
    return absl::InvalidArgumentError("give one or two steps, or: diff node A B");
  }
  const auto first = session.ReadPlace(words[0]);
  if (!first.ok()) return first.status();
  if (words.size() == 1) {
    // Another execution is what we compare with; an earlier step is what we come from.
    const bool other = first->track != session.at().track;
    return other ? DiffPlaces(session, session.at(), *first, screen)
                 : DiffPlaces(session, *first, session.at(), screen);
  }
  const auto second = session.ReadPlace(words[1]);
  if (!second.ok()) return second.status();
  return DiffPlaces(session, *first, *second, screen);
}

}  // namespace foretell::agent
