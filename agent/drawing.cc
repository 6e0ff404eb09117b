#include "agent/drawing.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/files.h"
#include "agent/mermaid.h"
#include "agent/nearest_name.h"
#include "agent/svg.h"
#include "model/plain_system.h"

namespace foretell::agent {

using model::EventKind;

absl::Status CheckDrawing(const Drawing& drawing) {
  const std::string& format = drawing.format;
  if (format.empty() || format == "text" || format == "mermaid" || format == "svg") {
    return absl::OkStatus();
  }
  return UnknownName("format", format, {"text", "mermaid", "svg"});
}

absl::Status Draw(const Drawing& drawing, const SpaceTime& picture,
                  const std::function<std::string(const Look&)>& text, Streams& streams) {
  const bool stdout_wanted = drawing.output.empty() || drawing.output == "-";
  // A file is read elsewhere, by who knows what: no colours there.
  const Look look = drawing.output.empty() ? streams.out_look : Look{.utf8 = streams.out_look.utf8};
  const std::string drawn = drawing.format == "svg"       ? DrawSvg(picture)
                            : drawing.format == "mermaid" ? DrawMermaid(picture)
                                                          : text(look);
  if (!stdout_wanted) return WriteFileAtomically(drawing.output, drawn);
  streams.out << drawn << std::flush;
  return absl::OkStatus();
}

absl::Status ValidateEvent(const model::Service& service, const model::Event& event) {
  const bool valid = event.kind == EventKind::kDeliver  ? service.ValidMessage(event.body)
                     : event.kind == EventKind::kAction ? service.ValidAction(event.body)
                                                        : event.body.empty();
  if (valid) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("its ", event.body.size(), " bytes are no ",
                                                 model::KindName(event.kind),
                                                 " event of this service"));
}

absl::StatusOr<model::Violation> ReplayRecorded(const model::Service& service,
                                                const model::SystemCut& start,
                                                const std::string& invariant, model::Path path) {
  // Replay renders what it refuses, so bodies must be known to be of this service before it.
  for (size_t i = 0; i < path.size(); ++i) {
    const absl::Status valid = ValidateEvent(service, path[i].event);
    if (valid.ok()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("step ", i + 1, " of ", path.size(), ": ", std::string(valid.message())));
  }
  return model::Confirm(service, start, invariant, std::move(path));
}

}  // namespace foretell::agent
