#include "foretell/agent/drawing/drawing.h"

#include "foretell/agent/console/files.h"
#include "foretell/agent/console/nearest_name.h"
#include "foretell/agent/drawing/mermaid.h"
#include "foretell/agent/drawing/svg.h"

namespace foretell::agent {

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

}  // namespace foretell::agent
