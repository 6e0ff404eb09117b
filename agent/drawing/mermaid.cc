#include "foretell/agent/drawing/mermaid.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/drawing/wording.h"

namespace foretell::agent {
namespace {

using model::EventKind;

// Mermaid reads these as syntax or as HTML; it takes any of them as an entity.
std::string Escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool special = c == '#' || c == ';' || c == '<' || c == '>' || c == '&' || c == '"' ||
                         c == '%' || c == '{' || c == '}' || c == '\\';
    if (special) {
      absl::StrAppend(&out, "#", static_cast<int>(c), ";");
    } else {
      out += c;
    }
  }
  return out;
}

std::string NoteOf(const Moment& moment, const std::string& common) {
  std::vector<std::string> lines;
  if (moment.kind != EventKind::kDeliver) lines.push_back(Escaped(EventText(moment)));
  if (!moment.does.empty()) lines.push_back(Escaped(moment.does));
  if (!moment.choices.empty()) lines.push_back(Escaped(ChoicesText(moment)));
  for (const std::string& line : ChangeLines(moment.changes, common, "→")) {
    lines.push_back(Escaped(line));
  }
  return absl::StrJoin(lines, "<br/>");
}

void AppendMoment(std::string& out, const Moment& moment, const std::string& common,
                  const std::string& indent) {
  if (moment.kind == EventKind::kDeliver) {
    // Dashed: the message was in flight before the diagram begins.
    absl::StrAppend(&out, indent, "n", moment.peer, moment.sent_at ? "->>" : "-->>", "n",
                    moment.lane, ": ", Escaped(moment.label), "\n");
  }
  if (model::IsOfStream(moment.kind)) {
    absl::StrAppend(&out, indent, "n", moment.peer, "-xn", moment.lane, ": ", moment.label, "\n");
  }
  const std::string note = NoteOf(moment, common);
  if (!note.empty()) {
    absl::StrAppend(&out, indent, "Note over n", moment.lane, ": ", note, "\n");
  }
}

}  // namespace

std::string DrawMermaid(const SpaceTime& whole) {
  const SpaceTime& picture = EasiestToRead(whole);
  const std::string common = CommonPrefix(picture);
  std::string out = "sequenceDiagram\n";
  absl::StrAppend(&out, "  title ", Escaped(picture.title), "\n");
  for (size_t n = 0; n < picture.lanes.size(); ++n) {
    absl::StrAppend(&out, "  participant n", n, " as ", Escaped(HeaderText(picture.lanes[n])),
                    "\n");
  }
  if (picture.bystanders > 0) {
    absl::StrAppend(&out, "  Note over n0: ", BystandersText(picture), "\n");
  }
  if (picture.hidden > 0) absl::StrAppend(&out, "  Note over n0: ", HiddenText(picture), "\n");
  for (size_t n = 0; n < picture.lanes.size(); ++n) {
    if (picture.lanes[n].at_start.empty()) continue;
    absl::StrAppend(&out, "  Note over n", n, ": at the start:");
    for (const std::string& line : ChangeLines(picture.lanes[n].at_start, common, "")) {
      absl::StrAppend(&out, "<br/>", Escaped(line));
    }
    out += "\n";
  }
  for (size_t i = 0; i < picture.moments.size(); ++i) {
    if (i + 1 == picture.cycle_from) absl::StrAppend(&out, "  loop ", kCycleText, "\n");
    const bool last = i + 1 == picture.moments.size() && !picture.invariant.empty();
    if (last) out += "  rect rgba(220, 40, 40, 0.2)\n";
    AppendMoment(out, picture.moments[i], common, last ? "    " : "  ");
    if (last) out += "  end\n";
  }
  if (picture.cycle_from > 0) out += "  end\n";
  if (picture.invariant.empty()) return out;
  absl::StrAppend(&out, "  Note over n0", picture.lanes.size() > 1 ? ",n" : "",
                  picture.lanes.size() > 1 ? std::to_string(picture.lanes.size() - 1) : "",
                  ": VIOLATION of ", Escaped(picture.invariant), "<br/>", Escaped(picture.why),
                  "\n");
  return out;
}

}  // namespace foretell::agent
