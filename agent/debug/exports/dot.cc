#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "foretell/agent/debug/exports/exports.h"
#include "foretell/agent/drawing/wording.h"
#include "foretell/agent/execution/causality.h"

namespace foretell::agent {
namespace {

std::string Quoted(const std::string& text) {
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
}

std::string StepName(size_t step) { return absl::StrCat("s", step); }

// The steps of one node, one below the other.
std::string Cluster(const Execution& execution, uint32_t node) {
  std::string steps;
  for (size_t step = 1; step <= execution.steps(); ++step) {
    if (execution.StepAt(step).node.value() != node) continue;
    const Moment& moment = execution.MomentOf(step);
    absl::StrAppend(&steps, "    ", StepName(step),
                    " [label=", Quoted(absl::StrCat(step, ": ", EventText(moment))),
                    ", tooltip=", Quoted(ChangesText(moment.changes)),
                    model::InfoOf(moment.kind).alarming ? ", color=red" : "", "];\n");
  }
  if (steps.empty()) return "";
  return absl::StrCat("  subgraph cluster_", node, " {\n    label=\"node ", node, "\";\n", steps,
                      "  }\n");
}

}  // namespace

std::string WriteDot(const ExportInput& input) {
  const Execution& execution = *input.executions.front().execution;
  std::string out = absl::StrCat("digraph foretell {\n  label=", Quoted(input.title),
                                 ";\n  node [shape=box, fontname=\"sans-serif\"];\n");
  for (uint32_t n = 0; n < execution.At(0).nodes.size(); ++n) {
    absl::StrAppend(&out, Cluster(execution, n));
  }
  const std::vector<Cause> causes = CausesOf(execution);
  for (size_t step = 1; step <= causes.size(); ++step) {
    const Cause& cause = causes[step - 1];
    if (cause.before) {
      absl::StrAppend(&out, "  ", StepName(*cause.before), " -> ", StepName(step),
                      " [style=dotted];\n");
    }
    if (cause.sent) {
      absl::StrAppend(&out, "  ", StepName(*cause.sent), " -> ", StepName(step),
                      " [label=", Quoted(ShortLabel(execution.MomentOf(step).label)), "];\n");
    }
  }
  return out + "}\n";
}

}  // namespace foretell::agent
