#pragma once

#include <cstdio>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace foretell::agent {

// Where the lines of a session come from.
class Lines {
 public:
  virtual ~Lines() = default;
  // Nothing: there are no more.
  virtual std::optional<std::string> Next(const std::string& prompt) = 0;
};

// The lines of a file or a pipe. Each is written to `echo` behind its prompt, so that what comes
// out reads as a session does.
class StreamLines final : public Lines {
 public:
  StreamLines(std::istream& in, std::ostream& echo) : in_(in), echo_(echo) {}
  std::optional<std::string> Next(const std::string& prompt) override;

 private:
  std::istream& in_;
  std::ostream& echo_;
};

// Lines from a terminal, with editing, history and completion by the tab key.
struct TerminalOptions {
  // The words that may stand at the end of a line. REQUIRES: not empty.
  std::function<std::vector<std::string>(const std::string& line)> complete;
  std::string history;  // A file that is read and written; empty: none.
  std::FILE* in = stdin;
  std::FILE* out = stdout;
};
std::unique_ptr<Lines> MakeTerminalLines(TerminalOptions options);

// Where the history is kept by these variables (XDG_STATE_HOME, HOME; may be null); empty: nowhere.
std::string HistoryFile(const char* state_home, const char* home);

// What `line` becomes when the tab key is pressed at its end: the longest text that all completions
// share; with a space if there is but one.
std::string Completed(const std::string& line, const std::vector<std::string>& completions);

}  // namespace foretell::agent
