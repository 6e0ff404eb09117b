#include "foretell/agent/drawing/drawing.h"

#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/drawing/mermaid.h"
#include "foretell/agent/drawing/svg.h"
#include "foretell/model/check.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

using Form = absl::StatusOr<std::string>;

Form TextForm(const SpaceTime&, const OwnForms& own, const TerminalStyle& style) {
  return own.text(style);
}
Form GtestForm(const SpaceTime&, const OwnForms& own, const TerminalStyle&) { return own.gtest(); }

template <auto Drawer>
Form DrawnForm(const SpaceTime& picture, const OwnForms&, const TerminalStyle&) {
  return Drawer(picture);
}

struct Format {
  const char* name;
  Form (*make)(const SpaceTime& picture, const OwnForms& own, const TerminalStyle& style);
};

std::string Svg(const SpaceTime& picture) { return DrawSvg(picture); }

constexpr Format kFormats[] = {{"text", TextForm},
                               {"mermaid", DrawnForm<DrawMermaid>},
                               {"svg", DrawnForm<Svg>},
                               {"gtest", GtestForm}};

// The first if the name is empty, null if it is unknown.
const Format* FindFormat(const std::string& name) {
  for (const Format& format : kFormats) {
    if (name.empty() || name == format.name) return &format;
  }
  return nullptr;
}

}  // namespace

std::string FormatsText() {
  std::string text;
  for (const Format& format : kFormats) {
    const char* const before = &format == std::begin(kFormats)     ? ""
                               : &format == std::end(kFormats) - 1 ? " or "
                                                                   : ", ";
    absl::StrAppend(&text, before, format.name,
                    &format == std::begin(kFormats) ? " (default)" : "");
  }
  return text;
}

absl::Status CheckDrawing(const DrawingRequest& request) {
  if (FindFormat(request.format) != nullptr) return absl::OkStatus();
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.push_back(format.name);
  return model::UnknownName("format", request.format, names);
}

absl::Status Draw(const DrawingRequest& request, const SpaceTime& picture, const OwnForms& own,
                  Console& console) {
  const Format* const format = FindFormat(request.format);
  FORETELL_CHECK(format != nullptr);
  const bool stdout_wanted = request.output.empty() || request.output == "-";
  // A file is read elsewhere, by who knows what: no colours there.
  const TerminalStyle style =
      request.output.empty() ? console.out_style : TerminalStyle{.utf8 = console.out_style.utf8};
  const Form drawn = format->make(picture, own, style);
  if (!drawn.ok()) return drawn.status();
  if (!stdout_wanted) return WriteFileAtomically(request.output, *drawn);
  console.out << *drawn << std::flush;
  return absl::OkStatus();
}

}  // namespace foretell::agent
