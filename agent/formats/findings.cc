#include "foretell/agent/formats/findings.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "foretell/agent/drawing/wording.h"

namespace foretell::agent {

size_t CountOf(const Findings& findings, Judged::Verdict verdict) {
  return static_cast<size_t>(
      std::count_if(findings.judged.begin(), findings.judged.end(),
                    [verdict](const Judged& judged) { return judged.verdict == verdict; }));
}

std::string VerdictLine(const Judged& judged) {
  switch (judged.verdict) {
    case Judged::Verdict::kHolds: return absl::StrCat(judged.invariant, " holds");
    case Judged::Verdict::kBroken:
      return absl::StrCat(judged.invariant, " does not hold: ", judged.why);
    case Judged::Verdict::kUndecided: break;
  }
  return absl::StrCat(judged.invariant, " is not decided: ", judged.why);
}

std::string StepLine(const SpaceTime& picture, size_t index) {
  const Moment& moment = picture.moments[index];
  std::string line =
      absl::StrCat(index + 1, ". ", picture.lanes[moment.lane].name, ": ", EventText(moment));
  if (!moment.choices.empty()) absl::StrAppend(&line, "; ", ChoicesText(moment));
  for (const std::string& change : ChangeLines(moment.changes, "", "->")) {
    absl::StrAppend(&line, "; ", change);
  }
  return line;
}

}  // namespace foretell::agent
