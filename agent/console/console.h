#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <ostream>

#include "absl/status/status.h"

namespace foretell::agent {

// The abilities of a terminal: UTF-8, colours, width.
struct TerminalStyle {
  bool utf8 = false;
  bool colour = false;
  size_t columns = 110;
};

// True iff a file takes escape sequences: a terminal whose TERM (may be null) is not a dumb one.
bool TakesEscapes(bool terminal, const char* term);

// All that a command may touch of the outside world besides files: tests hand in string console
// and a clock that stands still.
struct Console {
  using Time = std::chrono::steady_clock::time_point;
  std::ostream& out;
  std::ostream& err;
  TerminalStyle out_style;
  TerminalStyle err_style;
  bool live = false;                  // `err` takes escapes: show progress.
  std::function<Time()> now;          // REQUIRES: not empty.
  std::function<bool()> interrupted;  // The user asked to stop. REQUIRES: not empty.
};

// The exit codes that scripts rely on.
enum ExitCode : int {
  kExitNothing = 0,
  kExitViolation = 1,
  kExitUsage = 2,
  kExitIncomplete = 3,     // Only with --require-complete, and of demos.
  kExitUncovered = 4,      // Only with --require-coverage.
  kExitInterrupted = 130,  // By Ctrl-C before anything was found; as shells say it: 128 + SIGINT.
};

// One line on `console.err`; returns kExitUsage.
int Fail(Console& console, const absl::Status& status);
// For a message that has one mistake per line and quotes no line breaks: as many lines.
int FailLines(Console& console, const absl::Status& status);

}  // namespace foretell::agent
