#include "dir/composer.h"

#include "model/check.h"

namespace foretell::dir {
namespace {

using model::EventId;
using model::NodeId;

std::vector<NodeId> AllNodes(uint32_t count) {
  std::vector<NodeId> nodes;
  for (uint32_t n = 0; n < count; ++n) nodes.push_back(NodeId(n));
  return nodes;
}

}  // namespace

Composer::Composer(const Setting& setting)
    : setting_(setting),
      table_(setting.service),
      dialect_(table_, setting.lexicon),
      run_(setting_, table_, dialect_, AllNodes(setting.components.node_count())) {}

Skeleton Composer::First() { return Finish(); }

Skeleton Composer::Compose(const Skeleton& skeleton, ComponentId component,
                           const Behaviour& behaviour) {
  std::vector<Planned> planned;
  Plan(behaviour.trace, planned, [](ComponentId) { return true; });
  Plan(skeleton.trace, planned, [&](ComponentId other) { return other != component; });
  TakeAll(planned);
  return Finish();
}

const Run& Composer::Replay(const Trace& trace) {
  for (const TraceStep& step : trace) FORETELL_CHECK(Take(step));
  return run_;
}

void Composer::Rewind() {
  while (run_.size() > 0) run_.Undo();
}

void Composer::Plan(const Trace& trace, std::vector<Planned>& planned,
                    const std::function<bool(ComponentId)>& wanted) {
  for (uint32_t index = 0; index < trace.size(); ++index) {
    const ComponentId component = setting_.components.of(dialect_.NodeOf(trace[index].number));
    if (wanted(component)) planned.push_back({&trace[index], component, index});
  }
}

// Takes every step whose own component got to where it was taken in the original trace, and whose
// message is there with the same past, in rounds until nothing moves. The rest is left out.
void Composer::TakeAll(std::vector<Planned>& planned) {
  std::vector<search::SlotSet> left(setting_.components.count());
  for (const Planned& step : planned) left[step.component.index()].Set(step.index);
  for (bool moved = true; moved;) {
    moved = false;
    for (Planned& step : planned) {
      if (step.taken || !Ready(step, left) || !Take(*step.step)) continue;
      step.taken = true;
      left[step.component.index()].Reset(step.index);
      moved = true;
    }
  }
}

bool Composer::Ready(const Planned& planned, const std::vector<search::SlotSet>& left) const {
  return !planned.step->past.Intersects(left[planned.component.index()]);
}

bool Composer::Take(const TraceStep& step) {
  const NodeId node = dialect_.NodeOf(step.number);
  const std::optional<EventId> event = dialect_.Find(step.number, run_.state(node));
  if (!event) return false;
  std::optional<Candidate> candidate = Candidate{node, *event, step.number, kNone, kNone};
  if (event->is_deliver()) candidate = run_.FindDelivery(*event, step.received);
  if (!candidate || step.outcome >= run_.Outcomes(*candidate)) return false;
  run_.Apply(*candidate, step.outcome);
  return true;
}

// Runs on to the end, and says what became of it.
Skeleton Composer::Finish() {
  for (;;) {
    if (run_.size() >= setting_.depth_max) {
      cut_off_ = true;
      break;
    }
    enabled_.clear();
    run_.Enabled(enabled_);
    if (enabled_.empty()) break;
    run_.Apply(enabled_.front(), 0);
  }
  Skeleton skeleton;
  skeleton.parts.resize(setting_.components.count());
  for (uint32_t position = 0; position < run_.size(); ++position) {
    const Transition& transition = run_.at(position);
    skeleton.trace.push_back(
        {transition.what.number, transition.outcome, transition.received, transition.past});
    if (transition.interface) {
      auto& part = skeleton.parts[setting_.components.of(transition.what.node).index()];
      part.transitions.push_back(transition.signature);
      part.positions.push_back(position);
      part.behaviour += transition.signature;
    }
    for (const auto& [to, output] : transition.outputs) {
      run_.Arrivals(position, to, skeleton.parts[to.index()].environment.arrivals);
    }
  }
  for (uint32_t c = 0; c < skeleton.parts.size(); ++c) {
    Skeleton::Part& part = skeleton.parts[c];
    skeleton.signature += Skeleton::PartSignature(ComponentId(c), part.behaviour);
    for (const Arrival& arrival : part.environment.arrivals) {
      part.environment.signature += arrival.identity;
    }
  }
  Rewind();
  return skeleton;
}

}  // namespace foretell::dir
