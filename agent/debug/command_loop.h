#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/debug/commands.h"
#include "foretell/agent/debug/lines.h"
#include "foretell/agent/debug/session.h"

namespace foretell::agent {

// A line as words; quotes, single or double, keep one with spaces together. InvalidArgument if one
// is not closed.
absl::StatusOr<Words> SplitWords(const std::string& line);

// What a session begins with: warnings, the subject, what is known about its end.
void Greet(const Session& session, const Screen& screen);

// Runs one line. A line that is empty or begins with # does nothing.
absl::Status RunLine(const std::string& line, Session& session, const Screen& screen);

// "path 3/9> ".
std::string PromptOf(const Session& session);

// The words that may stand at the end of `line` instead of what stands there, in order.
std::vector<std::string> Completions(const Session& session, const std::string& line);

// Reads and runs lines until they end or one says `quit`. What is wrong with a line is told in one
// line, and the next is read. Returns how many were wrong.
size_t RunSession(Lines& lines, Session& session, const Screen& screen);

}  // namespace foretell::agent
