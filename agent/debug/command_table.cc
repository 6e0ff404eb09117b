#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/debug/commands.h"
#include "foretell/agent/debug/exports/exports.h"
#include "foretell/agent/debug/step_text.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

using Names = std::vector<std::string>;

Names TrackNames(const Session& session) {
  Names names;
  for (const Track& track : session.tracks()) names.push_back(track.name);
  return names;
}
Names PlaceNames(const Session& session) {
  Names names = TrackNames(session);
  names.insert(names.end(), {"start", "end", "critical"});
  return names;
}
Names FieldNames(const Session& session) {
  std::set<std::string> names;
  for (uint32_t n = 0; n < session.node_count(); ++n) {
    for (const model::Field& field : FieldsOf(session.service(), session.state(), n)) {
      names.insert(field.name);
    }
  }
  return {names.begin(), names.end()};
}
Names EventNames(const Session& session) {
  std::set<std::string> names;
  for (size_t step = 1; step <= session.execution().steps(); ++step) {
    const Moment& moment = session.execution().MomentOf(step);
    names.insert(moment.name.empty() ? model::KindName(moment.kind) : moment.name);
  }
  return {names.begin(), names.end()};
}
Names CommandNames(const Session&) {
  Names names;
  for (const DebugCommand& command : DebugCommands()) names.push_back(command.name);
  return names;
}
Names Quests(const Session&) { return {"live", "violation"}; }
Names Kinds(const Session&) { return {"event", "state", "off"}; }
Names Exports(const Session&) { return ExportNames(); }

constexpr DebugCommand kCommands[] = {
    {"where", "w", "", "Says where you are: the step, what it did, and what does not hold.",
     "where", 0, 0, RunWhere},
    {"step", "s", "[N]", "Goes N steps forward (1), over those that the filter hides.", "step 3", 0,
     1, RunStep},
    {"back", "b", "[N]", "Goes N steps back (1), over those that the filter hides.", "back", 0, 1,
     RunBack},
    {"jump", "j", "STEP",
     "Goes to a step: a number, start, end, critical, or that of another execution.", "jump twin:5",
     1, 1, RunJump, PlaceNames},
    {"run", "r", "violation|critical|live|end [PROPERTY]",
     "Goes on along this execution: to where something is broken, to the critical step, to where a "
     "liveness predicate holds, or to the end.",
     "run violation", 1, 2, RunTo, RunTargets},
    {"steps", "l", "[FROM [TO]]", "Lists the steps; the one where you are is marked.", "steps 2 6",
     0, 2, RunSteps, PlaceNames},
    {"events", "e", "[NAME]", "Lists the steps of an event, or all events by name.",
     "events Accept", 0, 1, RunEvents, EventNames},
    {"find", "f", "event|state REGEX",
     "Lists the steps whose event, or a line `node N: field=value` of the state behind them, "
     "matches.",
     "find state 'node 1: .*phase=accepting'", 2, 2, RunFind, Kinds},
    {"filter", "", "[event|state REGEX | off]",
     "Lets step, back and steps see matching steps only; adds to what is filtered already.",
     "filter event Promise", 0, 2, RunFilter, Kinds},
    {"node", "n", "[N|all]", "Lets step, back, steps and diff see one node only.", "node 2", 0, 1,
     RunNode},
    {"show", "p", "[NODE] [FIELD] [at STEP]", "Shows the state, or a part of it.",
     "show 1 acceptor at 3", 0, 4, RunShow, FieldNames},
    {"messages", "m", "", "Lists what is in flight.", "messages", 0, 0, RunMessages},
    {"holds", "", "", "Says of every property whether it holds here.", "holds", 0, 0, RunHolds},
    {"watch", "", "[[NODE] FIELD]", "Shows a field after every move; alone: lists what is watched.",
     "watch 0 proposer.phase", 0, 2, RunWatch, FieldNames},
    {"unwatch", "", "[K]", "Stops watching the K-th field, or all.", "unwatch 1", 0, 1, RunUnwatch},
    {"values", "v", "[NODE] FIELD", "Lists the values that a field takes, with their steps.",
     "values 0 learner.chosen", 1, 2, RunValues, FieldNames},
    {"diff", "d", "STEP [STEP] | node A B",
     "Compares two steps, the same step of another execution (diff twin), or two nodes.",
     "diff twin", 1, 3, RunDiff, PlaceNames},
    {"enabled", "", "[REGEX]", "Lists what could happen next, and what each event would do.",
     "enabled crash", 0, 1, RunEnabled},
    {"take", "t", "K|REGEX",
     "Takes the K-th enabled event, or the one that matches: a branch, unless this execution goes "
     "the same way.",
     "take 2", 1, 1, RunTake},
    {"seek", "", "live|violation [STATES [PREDICATE]]",
     "Searches on from here, all ways at once, up to so many states (10,000), and branches along "
     "the shortest way. Faults and adverse events do not count as ways to live.",
     "seek live", 1, 3, RunSeek, Quests},
    {"executions", "x", "", "Lists the executions: the path, its twin, your branches.",
     "executions", 0, 0, RunExecutions},
    {"use", "u", "EXECUTION", "Goes to the same step of another execution.", "use twin", 1, 1,
     RunUse, TrackNames},
    {"open", "", "FILE", "Adds the path of another record of the same service, to compare with.",
     "open live.json", 1, 1, RunOpen},
    {"save", "", "FILE",
     "Writes this execution as JSON: `foretell debug FILE` opens it again, and, if it breaks "
     "something, so does `foretell explain FILE`.",
     "save branch.json", 1, 1, RunSave},
    {"graph", "g", "[text|svg|mermaid [FILE]]", "Draws this execution.", "graph svg bug.svg", 0, 2,
     RunGraph, GraphForms},
    {"export", "", "shiviz|itf|dot|otlp [FILE]",
     "Writes it for other tools; otlp without FILE sends spans where OTEL_* variables say.",
     "export shiviz bug.log", 1, 2, RunExport, Exports},
    {"help", "h", "[COMMAND]", "Lists the commands, or tells about one.", "help diff", 0, 1,
     RunHelp, CommandNames},
    {"quit", "q", "", "Ends the session.", "quit", 0, 0, RunQuit},
};

}  // namespace

std::span<const DebugCommand> DebugCommands() { return kCommands; }

absl::StatusOr<const DebugCommand*> FindCommand(const std::string& name) {
  std::vector<const DebugCommand*> begins;
  Names names;
  for (const DebugCommand& command : kCommands) {
    if (name == command.name || (!name.empty() && name == command.brief)) return &command;
    if (std::string(command.name).starts_with(name)) begins.push_back(&command);
    names.push_back(command.name);
  }
  if (begins.size() == 1) return begins.front();
  return model::UnknownName("command", name, names);
}

absl::Status RunHelp(Session&, const Words& words, const Screen& screen) {
  if (words.empty()) {
    Table table({.columns = {{Table::Align::kLeft}, {Table::Align::kLeft}, {Table::Align::kLeft}},
                 .indent = 2,
                 .wraps = true});
    for (const DebugCommand& command : kCommands) {
      const std::string usage =
          absl::StrCat(command.name, command.arguments[0] == 0 ? "" : " ", command.arguments);
      table.Add({command.brief, usage, command.help});
    }
    for (const std::string& line : table.Lines(screen.style)) screen.out << line << "\n";
    return absl::OkStatus();
  }
  const auto command = FindCommand(words[0]);
  if (!command.ok()) return command.status();
  const DebugCommand& found = **command;
  screen.Line(
      absl::StrCat(found.name, found.arguments[0] == 0 ? "" : " ", found.arguments,
                   found.brief[0] == 0 ? "" : absl::StrCat("    (short: ", found.brief, ")")));
  screen.Line(absl::StrCat("  ", found.help));
  screen.Line(absl::StrCat("  Example: ", found.example));
  return absl::OkStatus();
}

absl::Status RunQuit(Session& session, const Words&, const Screen&) {
  session.done = true;
  return absl::OkStatus();
}

}  // namespace foretell::agent
