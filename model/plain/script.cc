#include "foretell/model/plain/script.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::model {
namespace {

std::optional<PathStep> StepFor(const Service& service, const SystemCut& cut,
                                const ScriptStep& step) {
  if (step.kind == ScriptStep::Kind::kAct) {
    const auto actions = service.Actions(NodeId(step.node), cut.nodes[step.node].body);
    if (actions.empty()) return std::nullopt;
    return PathStep{NodeId(step.node), {EventKind::kAction, NodeId(), actions.front()}, {}};
  }
  for (const Message& message : cut.in_flight) {
    if (message.from != NodeId(step.from) || message.to != NodeId(step.node)) continue;
    return PathStep{message.to, {EventKind::kDeliver, message.from, message.body}, {}};
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<SystemCut> Play(const Service& service, std::span<const ScriptStep> script) {
  SystemCut cut = InitialCut(service);
  for (size_t i = 0; i < script.size(); ++i) {
    if (script[i].kind == ScriptStep::Kind::kLoseAll) {
      cut.in_flight.clear();
      continue;
    }
    if (script[i].node >= cut.nodes.size()) {
      return absl::FailedPreconditionError(
          absl::StrCat("script step ", i + 1, " of ", script.size(), ": there is no node ",
                       script[i].node, ", nodes are 0 to ", cut.nodes.size() - 1));
    }
    const std::optional<PathStep> step = StepFor(service, cut, script[i]);
    if (!step) {
      return absl::FailedPreconditionError(absl::StrCat("script step ", i + 1, " of ",
                                                        script.size(), ": nothing to do at node ",
                                                        script[i].node));
    }
    PlainSystem system(service, std::move(cut));
    if (const auto done = system.Apply(*step); !done.ok()) return done.status();
    cut = system.state();
  }
  return cut;
}

}  // namespace foretell::model
