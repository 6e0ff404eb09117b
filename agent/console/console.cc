#include "foretell/agent/console/console.h"

#include <string>

#include "absl/strings/str_split.h"
#include "foretell/agent/console/text.h"

namespace foretell::agent {

bool TakesEscapes(bool terminal, const char* term) {
  return terminal && (term == nullptr || std::string(term) != "dumb");
}

int Fail(Console& console, const absl::Status& status) {
  // Messages can quote what a user or a file said; escaping keeps them on one line.
  const std::string text(status.message());
  console.err << "foretell: " << Printable(text, console.err_style.utf8) << '\n';
  return kExitUsage;
}

int FailLines(Console& console, const absl::Status& status) {
  for (const auto& line : absl::StrSplit(std::string(status.message()), '\n')) {
    Fail(console, absl::Status(status.code(), line));
  }
  return kExitUsage;
}

}  // namespace foretell::agent
