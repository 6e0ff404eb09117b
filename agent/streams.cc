#include "agent/streams.h"

#include <string>

#include "agent/printable.h"

namespace foretell::agent {

int Fail(Streams& streams, const absl::Status& status) {
  // Messages can quote what a user or a file said; escaping keeps them on one line.
  const std::string text(status.message());
  streams.err << "foretell: " << Printable(text, streams.err_look.utf8) << '\n';
  return kExitUsage;
}

}  // namespace foretell::agent
