#include "foretell/agent/formats/junit.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/drawing/text_diagram.h"

namespace foretell::agent {
namespace {

using Verdict = Judged::Verdict;

std::string Attribute(const char* name, const std::string& value) {
  return absl::StrCat(" ", name, "=\"", XmlText(value), "\"");
}

// Readers take the dots for packages and classes.
std::string SuiteName(const Findings& findings) {
  return absl::StrCat(findings.service, ".", findings.scenario, findings.bug.empty() ? "" : ".",
                      findings.bug);
}

// The suite and the whole file have the same figures: there is one suite.
std::string Counts(const Findings& findings) {
  return absl::StrCat(Attribute("tests", absl::StrCat(findings.judged.size())),
                      Attribute("failures", absl::StrCat(CountOf(findings, Verdict::kBroken))),
                      Attribute("errors", "0"),
                      Attribute("time", absl::StrFormat("%.3f", findings.seconds)));
}

// Of a suite only: no schema of the whole file knows it.
std::string Skipped(const Findings& findings) {
  return Attribute("skipped", absl::StrCat(CountOf(findings, Verdict::kUndecided)));
}

std::string FailureText(const Findings& findings, const Judged& judged) {
  std::string text = judged.why + "\n";
  if (judged.picture != nullptr) {
    absl::StrAppend(&text, "\n", DrawText(*judged.picture, {.utf8 = true}), "\n");
  }
  if (!judged.opinion.empty()) absl::StrAppend(&text, "Second opinion: ", judged.opinion, "\n");
  return absl::StrCat(text, "Find it again: ", findings.command, "\n");
}

void AppendCase(const Findings& findings, const Judged& judged, std::string& out) {
  absl::StrAppend(&out, "    <testcase", Attribute("classname", SuiteName(findings)),
                  Attribute("name", judged.invariant));
  switch (judged.verdict) {
    case Verdict::kHolds: out += "/>\n"; return;
    case Verdict::kUndecided:
      absl::StrAppend(&out, ">\n      <skipped", Attribute("message", judged.why), "/>\n");
      break;
    case Verdict::kBroken:
      absl::StrAppend(&out, ">\n      <failure", Attribute("message", VerdictLine(judged)),
                      Attribute("type", "violation"), ">", XmlText(FailureText(findings, judged)),
                      "</failure>\n");
      break;
  }
  out += "    </testcase>\n";
}

void AppendProperty(const char* name, const std::string& value, std::string& out) {
  absl::StrAppend(&out, "      <property", Attribute("name", name), Attribute("value", value),
                  "/>\n");
}

}  // namespace

std::string WriteJunit(const Findings& findings) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  absl::StrAppend(&out, "<testsuites", Attribute("name", "foretell"), Counts(findings), ">\n");
  absl::StrAppend(&out, "  <testsuite", Attribute("name", SuiteName(findings)), Counts(findings),
                  Skipped(findings), ">\n    <properties>\n");
  AppendProperty("engine", findings.engine, out);
  AppendProperty("complete", findings.complete ? "true" : "false", out);
  AppendProperty("command", findings.command, out);
  AppendProperty("foretell", kVersion, out);
  out += "    </properties>\n";
  for (const Judged& judged : findings.judged) AppendCase(findings, judged, out);
  absl::StrAppend(&out, "    <system-out>", XmlText(findings.sentence), "\n",
                  XmlText(findings.figures), "\n");
  if (!findings.covered.empty()) absl::StrAppend(&out, XmlText(findings.covered), "\n");
  for (const std::string& note : findings.notes) {
    absl::StrAppend(&out, "Note: ", XmlText(note), "\n");
  }
  return out + "</system-out>\n  </testsuite>\n</testsuites>\n";
}

}  // namespace foretell::agent
