#include "foretell/agent/formats/html.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/drawing/svg.h"
#include "foretell/agent/drawing/wording.h"
#include "foretell/agent/formats/html_style.h"

namespace foretell::agent {
namespace {

using Verdict = Judged::Verdict;

struct VerdictWords {
  const char* style;
  const char* word;
};

VerdictWords WordsOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return {"holds", "holds"};
    case Verdict::kBroken: return {"broken", "does not hold"};
    case Verdict::kUndecided: break;
  }
  return {"undecided", "not decided"};
}

Verdict OverallOf(const Findings& findings) {
  if (CountOf(findings, Verdict::kBroken) > 0) return Verdict::kBroken;
  return findings.complete ? Verdict::kHolds : Verdict::kUndecided;
}

// Nothing is fetched, and nothing runs, whatever the texts of a service say.
void AppendHead(const Findings& findings, std::string& out) {
  absl::StrAppend(
      &out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\"/>\n",
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
      XmlText(findings.title), "</title>\n", kHtmlStyle, "</head>\n<body>\n");
}

// What a violation says is the promise again, and then who breaks it.
std::string Because(const Judged& judged) {
  const std::string promise = judged.text + " ";
  const std::string why =
      judged.why.starts_with(promise) ? judged.why.substr(promise.size()) : judged.why;
  return why.empty() ? "" : absl::StrCat("<br/><span class=\"small\">", XmlText(why), "</span>");
}

void AppendVerdict(const Findings& findings, std::string& out) {
  absl::StrAppend(&out, "<h1>", XmlText(findings.title), "</h1>\n<p class=\"",
                  WordsOf(OverallOf(findings)).style, "\">", XmlText(findings.sentence),
                  "</p>\n<p class=\"small\">", XmlText(findings.figures), "</p>\n");
  if (!findings.covered.empty()) absl::StrAppend(&out, "<p>", XmlText(findings.covered), "</p>\n");
  for (const std::string& note : findings.notes) {
    absl::StrAppend(&out, "<p>Note: ", XmlText(note), "</p>\n");
  }
  out += "<h2>Invariants</h2>\n<table>\n";
  for (const Judged& judged : findings.judged) {
    const VerdictWords words = WordsOf(judged.verdict);
    absl::StrAppend(&out, "<tr><td><code>", XmlText(judged.invariant), "</code></td><td class=\"",
                    words.style, "\">", words.word, "</td><td>", XmlText(judged.text),
                    Because(judged), "</td></tr>\n");
  }
  out += "</table>\n";
}

std::string Lines(const std::vector<std::string>& lines) {
  return absl::StrJoin(lines, "<br/>", [](std::string* out, const std::string& line) {
    absl::StrAppend(out, XmlText(line));
  });
}

void AppendStep(const SpaceTime& picture, size_t index, const std::string& common,
                std::string& out) {
  const Moment& moment = picture.moments[index];
  std::vector<std::string> effects;
  if (!moment.choices.empty()) effects.push_back(ChoicesText(moment));
  for (const std::string& sent : SendTexts(moment)) effects.push_back("sends " + sent);
  absl::StrAppend(&out, "<tr><td>", index + 1, "</td><td>",
                  XmlText(picture.lanes[moment.lane].name), "</td><td>", XmlText(EventText(moment)),
                  "</td><td>", Lines(ChangeLines(moment.changes, common, "→")), "</td><td>",
                  Lines(effects), "</td></tr>\n");
}

void AppendPath(const SpaceTime& picture, size_t number, std::string& out) {
  const std::string common = CommonPrefix(picture);
  absl::StrAppend(&out, "<div class=\"wide\">\n", DrawSvg(picture, absl::StrCat("p", number, "-")),
                  "</div>\n<table class=\"steps\">\n<thead><tr><th>step</th><th>node</th>",
                  "<th>event</th><th>what changes</th><th>what it does</th></tr></thead>\n");
  for (size_t i = 0; i < picture.moments.size(); ++i) AppendStep(picture, i, common, out);
  out += "</table>\n";
}

}  // namespace

std::string WriteHtml(const Findings& findings) {
  std::string out;
  AppendHead(findings, out);
  AppendVerdict(findings, out);
  size_t paths = 0;
  for (const Judged& judged : findings.judged) {
    if (judged.verdict != Verdict::kBroken) continue;
    absl::StrAppend(&out, "<h2>", XmlText(judged.invariant), "</h2>\n<p>", XmlText(judged.why),
                    "</p>\n");
    if (!judged.opinion.empty()) {
      absl::StrAppend(&out, "<p>Second opinion: ", XmlText(judged.opinion), "</p>\n");
    }
    if (judged.picture != nullptr) AppendPath(*judged.picture, ++paths, out);
  }
  const bool found = CountOf(findings, Verdict::kBroken) > 0;
  absl::StrAppend(&out, "<h2>", found ? "Find it" : "Check it", " again</h2>\n<pre>",
                  XmlText(findings.command), "</pre>\n<p class=\"small\">Foretell ", kVersion,
                  "</p>\n</body>\n</html>\n");
  return out;
}

}  // namespace foretell::agent
