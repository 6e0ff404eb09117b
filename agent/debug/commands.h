#pragma once

// The commands of the debugger, one row each: help, completion, refusal of words too many and the
// suggestion for a name that is nearly right follow from the rows. A new command is a function in
// the file of its like and a row.

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/debug/session.h"

namespace foretell::agent {

// Where the debugger writes.
struct Screen {
  std::ostream& out;
  TerminalStyle style;
  // Sends spans where the environment says; empty: nowhere.
  std::function<absl::StatusOr<std::string>(const Session&)> send;

  // One line; characters that the reader cannot see are spelt out.
  void Line(const std::string& text) const;
  const char* arrow() const { return style.utf8 ? "→" : "->"; }
};

using Words = std::vector<std::string>;

struct DebugCommand {
  const char* name;
  const char* brief;      // A short form; may be empty.
  const char* arguments;  // As people write them: "[N]".
  const char* help;       // A sentence or two.
  const char* example;
  size_t words_least = 0;
  size_t words_most = 0;
  absl::Status (*run)(Session& session, const Words& words, const Screen& screen);
  // Words that may follow; null: none are known.
  std::vector<std::string> (*complete)(const Session& session) = nullptr;
};

std::span<const DebugCommand> DebugCommands();
// By name, by short form, or by a beginning that is no other's. InvalidArgument, with the nearest.
absl::StatusOr<const DebugCommand*> FindCommand(const std::string& name);

#define FORETELL_DEBUG_COMMAND(name) \
  absl::Status name(Session& session, const Words& words, const Screen& screen)
// moves.cc
FORETELL_DEBUG_COMMAND(RunStep);
FORETELL_DEBUG_COMMAND(RunBack);
FORETELL_DEBUG_COMMAND(RunJump);
FORETELL_DEBUG_COMMAND(RunTo);
FORETELL_DEBUG_COMMAND(RunWhere);
// listings.cc
FORETELL_DEBUG_COMMAND(RunSteps);
FORETELL_DEBUG_COMMAND(RunEvents);
FORETELL_DEBUG_COMMAND(RunFind);
FORETELL_DEBUG_COMMAND(RunFilter);
FORETELL_DEBUG_COMMAND(RunNode);
// states.cc
FORETELL_DEBUG_COMMAND(RunShow);
FORETELL_DEBUG_COMMAND(RunMessages);
FORETELL_DEBUG_COMMAND(RunHolds);
FORETELL_DEBUG_COMMAND(RunWatch);
FORETELL_DEBUG_COMMAND(RunUnwatch);
FORETELL_DEBUG_COMMAND(RunValues);
// differences.cc
FORETELL_DEBUG_COMMAND(RunDiff);
// branches.cc
FORETELL_DEBUG_COMMAND(RunEnabled);
FORETELL_DEBUG_COMMAND(RunTake);
FORETELL_DEBUG_COMMAND(RunExecutions);
FORETELL_DEBUG_COMMAND(RunUse);
FORETELL_DEBUG_COMMAND(RunOpen);
FORETELL_DEBUG_COMMAND(RunSave);
// seek.cc
FORETELL_DEBUG_COMMAND(RunSeek);
// outputs.cc
FORETELL_DEBUG_COMMAND(RunGraph);
FORETELL_DEBUG_COMMAND(RunExport);
// command_table.cc
FORETELL_DEBUG_COMMAND(RunHelp);
FORETELL_DEBUG_COMMAND(RunQuit);
#undef FORETELL_DEBUG_COMMAND

// The words that may follow `run` and `graph`.
std::vector<std::string> RunTargets(const Session& session);
std::vector<std::string> GraphForms(const Session& session);

}  // namespace foretell::agent
