#include "foretell/agent/execution/causality.h"

#include <algorithm>

namespace foretell::agent {
namespace {

void Join(const std::vector<uint32_t>& other, std::vector<uint32_t>& clock) {
  for (size_t n = 0; n < clock.size(); ++n) clock[n] = std::max(clock[n], other[n]);
}

}  // namespace

std::vector<Cause> CausesOf(const Execution& execution) {
  const size_t nodes = execution.At(0).nodes.size();
  std::vector<Cause> causes;
  std::vector<std::optional<size_t>> last(nodes);
  for (size_t step = 1; step <= execution.steps(); ++step) {
    const size_t node = execution.StepAt(step).node.index();
    Cause cause{.before = last[node], .clock = std::vector<uint32_t>(nodes)};
    if (const auto& sent_by = execution.EffectOf(step).sent_by) cause.sent = sent_by->step + 1;
    if (cause.before) Join(causes[*cause.before - 1].clock, cause.clock);
    if (cause.sent) Join(causes[*cause.sent - 1].clock, cause.clock);
    ++cause.clock[node];
    last[node] = step;
    causes.push_back(std::move(cause));
  }
  return causes;
}

}  // namespace foretell::agent
