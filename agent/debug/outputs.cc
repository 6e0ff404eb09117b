// Commands that draw and write executions.

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/debug/commands.h"
#include "foretell/agent/debug/exporting.h"
#include "foretell/agent/drawing/mermaid.h"
#include "foretell/agent/drawing/svg.h"
#include "foretell/agent/drawing/text_diagram.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

std::string Svg(const SpaceTime& picture, const TerminalStyle&) { return DrawSvg(picture); }
std::string Mermaid(const SpaceTime& picture, const TerminalStyle&) { return DrawMermaid(picture); }

struct GraphForm {
  const char* name;
  std::string (*draw)(const SpaceTime& picture, const TerminalStyle& style);
};
constexpr GraphForm kForms[] = {{"text", DrawText}, {"svg", Svg}, {"mermaid", Mermaid}};

absl::StatusOr<const GraphForm*> FindForm(const Session& session, const std::string& name) {
  for (const GraphForm& form : kForms) {
    if (name == form.name) return &form;
  }
  return model::UnknownName("format", name, GraphForms(session));
}

// To the screen, or to a file, which is told.
absl::Status Deliver(const std::string& text, const std::string& file, const Screen& screen) {
  if (file.empty()) {
    screen.out << text;
    return absl::OkStatus();
  }
  if (absl::Status written = WriteFileAtomically(file, text); !written.ok()) return written;
  screen.Line(absl::StrCat("wrote ", file));
  return absl::OkStatus();
}

}  // namespace

std::vector<std::string> GraphForms(const Session&) {
  std::vector<std::string> names;
  for (const GraphForm& form : kForms) names.push_back(form.name);
  return names;
}

absl::Status RunGraph(Session& session, const Words& words, const Screen& screen) {
  const auto form = FindForm(session, words.empty() ? "text" : words[0]);
  if (!form.ok()) return form.status();
  const auto broken =
      model::PlainSystem(session.service(), session.execution().At(session.execution().steps()))
          .Violated();
  const auto picture =
      session.execution().Picture(broken.empty() ? "" : broken.front(), TitleOf(session));
  if (!picture.ok()) return picture.status();
  const std::string file = words.size() > 1 ? words[1] : "";
  // A file is read elsewhere, by who knows what: no colours there.
  const TerminalStyle style =
      file.empty() ? screen.style : TerminalStyle{.utf8 = screen.style.utf8};
  return Deliver((*form)->draw(*picture, style), file, screen);
}

absl::Status RunExport(Session& session, const Words& words, const Screen& screen) {
  const auto format = FindExport(words[0]);
  if (!format.ok()) return format.status();
  const bool sends = words.size() == 1 && words[0] == kSentFormat;
  if (!sends) {
    return Deliver((*format)->write(ExportOf(session)), words.size() > 1 ? words[1] : "", screen);
  }
  if (screen.send == nullptr) {
    return absl::FailedPreconditionError("nothing can be sent from here: export otlp FILE");
  }
  const auto sent = screen.send(session);
  if (!sent.ok()) return sent.status();
  screen.Line(*sent);
  return absl::OkStatus();
}

}  // namespace foretell::agent
