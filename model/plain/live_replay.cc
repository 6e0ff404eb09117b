#include "foretell/model/plain/live_replay.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/model/describe.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::model {
namespace {

constexpr size_t kStretchMax = 64;

// The events of one node since it was last taken from its encoding.
struct LiveStretch {
  std::string from;
  std::vector<Event> events;
};

// Whether `live` is what happened in `step` of the replay.
bool Same(const HandlerResult& live, const NodeState& after, const std::vector<Message>& sent) {
  if (after.status == NodeStatus::kFailed || !live.failure.empty()) {
    return after.status == NodeStatus::kFailed && live.failure == after.body;
  }
  if (live.state != after.body || live.sends.size() != sent.size()) return false;
  for (size_t i = 0; i < sent.size(); ++i) {
    if (live.sends[i].to != sent[i].to || live.sends[i].body != sent[i].body) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> LiveDifference(const Service& service, const SystemCut& start,
                                          const Path& path) {
  PlainSystem system(service, start);
  std::vector<LiveStretch> stretches;
  for (const NodeState& node : start.nodes) stretches.push_back({node.body, {}});
  for (const PathStep& step : path) {
    const absl::StatusOr<StepEffect> effect = system.Apply(step);
    if (!effect.ok()) return std::string(effect.status().message());
    LiveStretch& stretch = stretches[step.node.index()];
    stretch.events.push_back(step.event);
    const HandlerResult live = service.Run(step.node, stretch.from, stretch.events, step.choices);
    const NodeState& after = system.state().nodes[step.node.index()];
    if (!Same(live, after, effect->sent)) return Describe(service, step.node, step.event);
    // Only the last event of a run may choose, and every run is from the beginning.
    if (!step.choices.empty() || stretch.events.size() == kStretchMax) stretch = {after.body, {}};
  }
  return std::nullopt;
}

}  // namespace foretell::model
