#include "foretell/agent/debug/exports/spans.h"

#include "absl/strings/str_cat.h"
#include "foretell/agent/drawing/wording.h"
#include "foretell/agent/execution/causality.h"

namespace foretell::agent {
namespace {

constexpr std::chrono::milliseconds kStep{1};

// By parent, 0 for the root.
std::vector<std::vector<size_t>> ChildrenOf(const std::vector<Cause>& causes) {
  std::vector<std::vector<size_t>> children(causes.size() + 1);
  for (size_t step = 1; step <= causes.size(); ++step) {
    const Cause& cause = causes[step - 1];
    children[cause.sent ? *cause.sent : cause.before.value_or(0)].push_back(step);
  }
  return children;
}

SpanTree SpanOf(const Execution& execution, const std::vector<std::vector<size_t>>& children,
                size_t step) {
  const Moment& moment = execution.MomentOf(step);
  SpanTree span{.name = moment.name.empty() ? ShortLabel(moment.label) : moment.name,
                .timing = {.offset = kStep * static_cast<int64_t>(step), .duration = kStep}};
  span.attributes = {{"foretell.hypothetical", true},
                     {"foretell.step", static_cast<int64_t>(step)},
                     {"foretell.node", int64_t{execution.StepAt(step).node.value()}},
                     {"foretell.kind", std::string(model::KindName(moment.kind))},
                     {"foretell.event", EventText(moment)},
                     {"foretell.changes", ChangesText(moment.changes)}};
  for (const size_t child : children[step]) {
    span.children.push_back(SpanOf(execution, children, child));
  }
  return span;
}

}  // namespace

SpanTree HypotheticalSpans(const ExportInput& input) {
  const NamedExecution& named = input.executions.front();
  const Execution& execution = *named.execution;
  const auto children = ChildrenOf(CausesOf(execution));
  SpanTree root{.name = "foretell.execution",
                .timing = {.duration = kStep * static_cast<int64_t>(execution.steps() + 1)}};
  root.attributes = {{"foretell.hypothetical", true},
                     {"foretell.execution", named.name},
                     {"foretell.title", input.title}};
  const model::PlainSystem end(input.service, execution.At(execution.steps()));
  if (const auto broken = end.Violated(); !broken.empty()) {
    root.error = absl::StrCat(broken.front(), ": ", end.Explain(broken.front()));
  }
  for (const size_t step : children[0]) root.children.push_back(SpanOf(execution, children, step));
  return root;
}

}  // namespace foretell::agent
