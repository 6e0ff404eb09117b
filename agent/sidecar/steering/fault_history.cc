#include "foretell/agent/sidecar/steering/fault_history.h"

#include <utility>

namespace foretell::agent {

using predictors::ImaginedFaults;

void FaultHistory::Answered(model::NodeId node, bool reborn, Time now) {
  Node& known = nodes_[node.index()];
  known.answered = true;
  if (reborn) known.failed = now;
}

void FaultHistory::Gone(model::NodeId node, Time now) {
  Node& known = nodes_[node.index()];
  if (known.answered) known.failed = now;
}

predictors::Steady FaultHistory::SteadyNodes(ImaginedFaults which, Time now) const {
  if (which == ImaginedFaults::kAlways) return {};
  std::vector<bool> steady;
  for (const Node& node : nodes_) {
    const bool likely = node.failed && now - *node.failed < kLikelyFor;
    steady.push_back(which == ImaginedFaults::kNever || !likely);
  }
  return predictors::Steady(std::move(steady));
}

}  // namespace foretell::agent
