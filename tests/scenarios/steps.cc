#include "foretell/tests/scenarios/steps.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace foretell::scenarios {
namespace {

using model::EventKind;

// The step as a line that means it.
std::string LineOf(const model::PathStep& step, const model::Service& service) {
  const uint32_t node = step.node.value();
  const uint32_t peer = step.event.peer.value();
  const auto choices = step.choices.empty()
                           ? std::string()
                           : absl::StrCat(" choose ", absl::StrJoin(step.choices, ","));
  switch (step.event.kind) {
    case EventKind::kAction:
      return absl::StrCat("act ", node, " ", service.RenderAction(step.event.body), choices);
    case EventKind::kDeliver:
      return absl::StrCat("deliver ", peer, " ", node, " ", service.RenderMessage(step.event.body),
                          choices);
    case EventKind::kCrash: return absl::StrCat("crash ", node);
    case EventKind::kRestart: return absl::StrCat("restart ", node, choices);
    case EventKind::kBreak: return absl::StrCat("break ", peer, " ", node, choices);
  }
  return "";
}

// Whether `wanted` is `line`, or as much of it as people write.
bool Means(const std::string& wanted, const std::string& line) {
  const std::vector<std::string> parts = absl::StrSplit(wanted, " choose ");
  if (parts.size() == 2 && !line.ends_with(" choose " + parts[1])) return false;
  // "act 1" is no beginning of "act 12".
  return line == parts[0] || (line.starts_with(parts[0]) &&
                              (line[parts[0].size()] == ' ' || line[parts[0].size()] == '('));
}

}  // namespace

absl::StatusOr<model::PathStep> StepOf(const std::string& line, const model::Service& service,
                                       const model::PlainSystem& system) {
  std::string possible;
  for (const model::PathStep& step : system.Enabled()) {
    const std::string its = LineOf(step, service);
    if (Means(line, its)) return step;
    absl::StrAppend(&possible, "\n  ", its);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      line, ": not possible; ", possible.empty() ? "nothing is" : "possible are", possible));
}

}  // namespace foretell::scenarios
