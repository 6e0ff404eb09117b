#include "foretell/agent/debug/exporting.h"

#include "absl/strings/str_cat.h"

namespace foretell::agent {

std::string TitleOf(const Session& session) {
  return absl::StrCat(session.subject().title, ", execution ", session.track().name);
}

ExportInput ExportOf(const Session& session) {
  ExportInput input{.service = session.service(), .title = TitleOf(session)};
  input.executions.push_back({session.track().name, &session.execution()});
  for (size_t i = 0; i < session.tracks().size(); ++i) {
    const Track& track = session.tracks()[i];
    if (i != session.at().track) input.executions.push_back({track.name, &track.execution});
  }
  if (session.subject().taken) {
    input.start = std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(
            session.subject().taken->time_since_epoch()));
  }
  return input;
}

}  // namespace foretell::agent
