// Commands that show the state where we are, and fields of it.

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/debug/commands.h"
#include "foretell/agent/debug/step_text.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

// [NODE] FIELD, of the words; a number alone is a node.
struct FieldWords {
  std::optional<uint32_t> node;
  std::string field;
};

bool IsNumber(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(),
                                      [](unsigned char c) { return c >= '0' && c <= '9'; });
}

absl::StatusOr<FieldWords> ReadField(const Session& session, std::span<const std::string> words) {
  FieldWords read;
  for (const std::string& word : words) {
    if (IsNumber(word) && !read.node && read.field.empty()) {
      const auto node = session.ReadNode(word);
      if (!node.ok()) return node.status();
      read.node = *node;
    } else if (read.field.empty()) {
      read.field = word;
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("'", word, "' is one word too many: give [NODE] FIELD"));
    }
  }
  return read;
}

std::vector<std::string> FieldNames(const Session& session, const model::SystemCut& cut,
                                    std::optional<uint32_t> node) {
  std::set<std::string> names;
  for (uint32_t n = 0; n < session.node_count(); ++n) {
    if (node && *node != n) continue;
    for (const model::Field& field : FieldsOf(session.service(), cut, n)) names.insert(field.name);
  }
  return {names.begin(), names.end()};
}

// InvalidArgument, with the nearest, if no state of the execution has such a field.
absl::Status CheckField(const Session& session, const FieldWords& wanted) {
  for (size_t step = 0; step <= session.execution().steps(); ++step) {
    for (const std::string& name : FieldNames(session, session.execution().At(step), wanted.node)) {
      if (IsField(name, wanted.field)) return absl::OkStatus();
    }
  }
  return model::UnknownName("field", wanted.field,
                            FieldNames(session, session.state(), wanted.node));
}

}  // namespace

absl::Status RunShow(Session& session, const Words& words, const Screen& screen) {
  Words rest = words;
  StepPlace place = session.at();
  if (const auto at = std::find(rest.begin(), rest.end(), "at"); at != rest.end()) {
    if (at + 2 != rest.end()) return absl::InvalidArgumentError("give one step behind `at`");
    const auto read = session.ReadPlace(*(at + 1));
    if (!read.ok()) return read.status();
    place = *read;
    rest.erase(at, rest.end());
  }
  const auto wanted = ReadField(session, rest);
  if (!wanted.ok()) return wanted.status();
  if (absl::Status known = CheckField(session, *wanted); !known.ok()) return known;
  for (uint32_t n = 0; n < session.node_count(); ++n) {
    if (wanted->node && *wanted->node != n) continue;
    const std::string role = session.service().Role(model::NodeId(n));
    screen.Line(absl::StrCat("node ", n, role.empty() ? "" : " (", role, role.empty() ? "" : ")"));
    for (const model::Field& field : FieldsOf(session.service(), session.StateAt(place), n)) {
      if (!IsField(field.name, wanted->field)) continue;
      screen.Line(absl::StrCat("  ", field.name, " = ", field.value));
    }
  }
  return absl::OkStatus();
}

absl::Status RunMessages(Session& session, const Words&, const Screen& screen) {
  for (const model::Message& message : session.state().in_flight) {
    screen.Line(absl::StrCat("  ", message.from.value(), " ", screen.arrow(), " ",
                             message.to.value(), ": ",
                             session.service().RenderMessage(message.body)));
  }
  screen.Line(absl::StrCat(session.state().in_flight.size(), " in flight"));
  return absl::OkStatus();
}

absl::Status RunHolds(Session& session, const Words&, const Screen& screen) {
  const model::PlainSystem system = session.system();
  const auto tell = [&](const std::string& name, bool eventually) {
    const std::string why = system.Explain(name);
    const char* const verdict = why.empty() ? "holds" : eventually ? "not yet" : "does not hold";
    screen.Line(absl::StrCat("  ", name, ": ", verdict, why.empty() ? "" : ": ", why));
  };
  tell(model::kLocalAssertions, false);
  for (const model::InvariantInfo& info : session.service().invariants()) {
    tell(info.name, info.eventually);
  }
  return absl::OkStatus();
}

absl::Status RunWatch(Session& session, const Words& words, const Screen& screen) {
  if (!words.empty()) {
    const auto wanted = ReadField(session, words);
    if (!wanted.ok()) return wanted.status();
    if (wanted->field.empty()) {
      return absl::InvalidArgumentError("give a field to watch; `show` lists them");
    }
    if (absl::Status known = CheckField(session, *wanted); !known.ok()) return known;
    session.watches.push_back({wanted->node, wanted->field});
  }
  for (size_t i = 0; i < session.watches.size(); ++i) {
    const WatchedField& watch = session.watches[i];
    screen.Line(absl::StrCat("  ", i + 1, ": ",
                             watch.node ? absl::StrCat("node ", *watch.node) : "every node", " ",
                             watch.field));
  }
  if (session.watches.empty()) screen.Line("nothing is watched");
  return absl::OkStatus();
}

absl::Status RunUnwatch(Session& session, const Words& words, const Screen& screen) {
  if (words.empty()) {
    session.watches.clear();
    return RunWatch(session, {}, screen);
  }
  const auto number = ParseCount(words[0]);
  if (!number.ok()) return number.status();
  if (*number > session.watches.size()) {
    return absl::OutOfRangeError(
        absl::StrCat("there is no watch ", *number, ", there are ", session.watches.size()));
  }
  session.watches.erase(session.watches.begin() + static_cast<std::ptrdiff_t>(*number - 1));
  return RunWatch(session, {}, screen);
}

absl::Status RunValues(Session& session, const Words& words, const Screen& screen) {
  const auto wanted = ReadField(session, words);
  if (!wanted.ok()) return wanted.status();
  if (wanted->field.empty()) return absl::InvalidArgumentError("give a field; `show` lists them");
  if (absl::Status known = CheckField(session, *wanted); !known.ok()) return known;
  std::map<std::pair<uint32_t, std::string>, std::string> last;
  for (size_t step = 0; step <= session.execution().steps(); ++step) {
    for (uint32_t n = 0; n < session.node_count(); ++n) {
      if (wanted->node && *wanted->node != n) continue;
      for (const model::Field& field :
           FieldsOf(session.service(), session.execution().At(step), n)) {
        std::string& value = last[{n, field.name}];
        if (!IsField(field.name, wanted->field) || (step > 0 && value == field.value)) continue;
        value = field.value;
        screen.Line(
            absl::StrCat("  step ", step, ", node ", n, ": ", field.name, " = ", field.value));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace foretell::agent
