#include "foretell/agent/formats/github.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace foretell::agent {
namespace {

using Verdict = Judged::Verdict;

// A command is one line; these are the escapes that its reader undoes.
std::string Data(const std::string& text) {
  return absl::StrReplaceAll(text, {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}});
}
std::string Property(const std::string& text) {
  return absl::StrReplaceAll(Data(text), {{":", "%3A"}, {",", "%2C"}});
}

std::string Annotation(const Findings& findings, const char* level, const std::string& title,
                       const std::string& message) {
  const std::string at =
      findings.source.empty() ? "" : absl::StrCat("file=", Property(findings.source), ",line=1,");
  return absl::StrCat("::", level, " ", at, "title=", Property(title), "::", Data(message), "\n");
}

std::string BrokenText(const Findings& findings, const Judged& judged) {
  std::string text = VerdictLine(judged) + "\n";
  const size_t steps = judged.picture == nullptr ? 0 : judged.picture->moments.size();
  for (size_t i = 0; i < steps; ++i) absl::StrAppend(&text, StepLine(*judged.picture, i), "\n");
  return absl::StrCat(text, "Find it again: ", findings.command);
}

}  // namespace

std::string WriteGithub(const Findings& findings) {
  std::string out;
  for (const Judged& judged : findings.judged) {
    if (judged.verdict != Verdict::kBroken) continue;
    out += Annotation(findings, "error", absl::StrCat(findings.service, ": ", judged.invariant),
                      BrokenText(findings, judged));
  }
  if (!out.empty()) return out;
  return Annotation(
      findings, findings.complete ? "notice" : "warning", findings.title,
      absl::StrCat(findings.sentence, findings.covered.empty() ? "" : "\n", findings.covered));
}

}  // namespace foretell::agent
