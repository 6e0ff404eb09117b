// https://bestchai.bitbucket.io/shiviz: the first line of a file is the regular expression that its
// events are read with, the second the one that separates executions.

#include "absl/strings/str_cat.h"
#include "foretell/agent/debug/exports/exports.h"
#include "foretell/agent/drawing/wording.h"
#include "foretell/agent/execution/causality.h"

namespace foretell::agent {
namespace {

constexpr const char* kEvent = R"((?<host>\S+) (?<clock>\{.*\})\n(?<event>.*))";
constexpr const char* kSeparator = R"(=== (?<trace>.*) ===)";

// Only nodes that have taken a step: ShiViz wants every host of a clock to have events.
std::string ClockText(const std::vector<uint32_t>& clock) {
  std::string text = "{";
  for (size_t n = 0; n < clock.size(); ++n) {
    if (clock[n] == 0) continue;
    absl::StrAppend(&text, text.size() == 1 ? "" : ", ", "\"node", n, "\": ", clock[n]);
  }
  return text + "}";
}

std::string EventLine(const Execution& execution, size_t step) {
  const Moment& moment = execution.MomentOf(step);
  const std::string changes = ChangesText(moment.changes);
  return absl::StrCat("step ", step, ": ", EventText(moment), changes.empty() ? "" : "; ", changes);
}

}  // namespace

std::string WriteShiviz(const ExportInput& input) {
  const bool several = input.executions.size() > 1;
  std::string out = absl::StrCat(kEvent, "\n", several ? kSeparator : "", "\n");
  for (const NamedExecution& named : input.executions) {
    if (several) absl::StrAppend(&out, "=== ", named.name, " ===\n");
    const std::vector<Cause> causes = CausesOf(*named.execution);
    for (size_t step = 1; step <= causes.size(); ++step) {
      absl::StrAppend(&out, "node", named.execution->StepAt(step).node.value(), " ",
                      ClockText(causes[step - 1].clock), "\n", EventLine(*named.execution, step),
                      "\n");
    }
  }
  return out;
}

}  // namespace foretell::agent
