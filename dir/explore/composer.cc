#include "foretell/dir/explore/composer.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::dir {

using model::EventId;
using model::NodeId;

Composer::Composer(const CheckSetting& setting, NumberedTable& table)
    : setting_(setting),
      events_(table.events),
      run_(setting_, table, AllNodes(setting.components.node_count())),
      left_(setting.components.count()) {}

Composer::Composer(const CheckSetting& setting, NumberedTable& table, const CheckSetting& whole,
                   ComponentId component)
    : setting_(setting),
      events_(table.events),
      run_(setting_, table, whole.components.nodes(component)),
      left_(setting.components.count()) {
  enclosing_.emplace(whole, table, whole.components.nodes(component), setting.components, run_);
}

void Composer::Enter(const Environment& environment) {
  Rewind(0);
  enclosing_->Enter(environment);
}

Skeleton Composer::ComposeFirst() {
  Rewind(0);
  return Finish();
}

Skeleton Composer::Compose(const Skeleton& skeleton, ComponentId component,
                           const Behaviour& behaviour) {
  planned_.clear();
  for (search::SlotSet& left : left_) left.Clear();
  const uint32_t kept = Match(skeleton, component, behaviour);
  Rewind(kept);
  for (uint32_t index = 0; index < behaviour.trace.size(); ++index) {
    if (!matched_.Test(index)) Plan(behaviour.trace[index], component, index);
  }
  for (uint32_t index = kept; index < skeleton.trace.size(); ++index) {
    const ComponentId other = ComponentOf(skeleton.trace[index]);
    if (other != component) Plan(skeleton.trace[index], other, index);
  }
  TakeAll();
  return Finish();
}

// The length of the run's prefix that is part of the composition: as far as it is the skeleton's
// trace, and that agrees with the behaviour. Fills image_ and matched_ with the behaviour's steps
// in that prefix.
uint32_t Composer::Match(const Skeleton& skeleton, ComponentId component,
                         const Behaviour& behaviour) {
  matched_.Clear();
  const uint32_t common = Common(skeleton.trace);
  image_.assign(common, kNone);
  for (uint32_t position = 0; position < common; ++position) {
    const TraceStep& step = skeleton.trace[position];
    if (ComponentOf(step) != component) continue;
    image_[position] = FindSame(step, behaviour);
    if (image_[position] == kNone) return position;
    matched_.Set(image_[position]);
  }
  return common;
}

// The step of the behaviour with the same past; kNone if there is none.
uint32_t Composer::FindSame(const TraceStep& step, const Behaviour& behaviour) const {
  Positions past;
  step.past.ForEach([&](size_t position) {
    if (image_[position] != kNone) past.Set(image_[position]);
  });
  for (uint32_t index = 0; index < behaviour.trace.size(); ++index) {
    const TraceStep& other = behaviour.trace[index];
    if (!matched_.Test(index) && other.number == step.number && other.outcome == step.outcome &&
        other.received == step.received && other.past == past) {
      return index;
    }
  }
  return kNone;
}

// The number of steps that the run and the trace both begin with.
uint32_t Composer::Common(const Trace& trace) const {
  const size_t end = std::min<size_t>(run_.size(), trace.size());
  for (uint32_t position = 0; position < end; ++position) {
    const Transition& transition = run_.at(position);
    const TraceStep& step = trace[position];
    if (transition.candidate.number != step.number || transition.outcome != step.outcome ||
        transition.received != step.received) {
      return position;
    }
  }
  return static_cast<uint32_t>(end);
}

const Run& Composer::Replay(const Trace& trace) {
  Rewind(Common(trace));
  for (size_t i = run_.size(); i < trace.size(); ++i) FORETELL_CHECK(Take(trace[i]));
  return run_;
}

void Composer::Rewind(uint32_t size) {
  while (run_.size() > size) {
    if (enclosing_) {
      enclosing_->Undo();
    } else {
      run_.Undo();
    }
  }
}

void Composer::Plan(const TraceStep& step, ComponentId component, uint32_t index) {
  planned_.push_back({&step, component, index});
  left_[component.index()].Set(index);
}

// Takes every planned step whose own component got to where it was taken in the original trace, and
// whose message is there with the same past, in rounds until nothing moves. The rest is left out.
void Composer::TakeAll() {
  for (bool moved = true; moved;) {
    size_t kept = 0;
    for (const Planned& step : planned_) {
      if (Ready(step) && Take(*step.step)) {
        left_[step.component.index()].Reset(step.index);
      } else {
        planned_[kept++] = step;
      }
    }
    moved = kept < planned_.size();
    planned_.resize(kept);
  }
}

bool Composer::Ready(const Planned& planned) const {
  return !planned.step->past.Intersects(left_[planned.component.index()]);
}

bool Composer::Take(const TraceStep& step) {
  const NodeId node = events_.NodeOf(step.number);
  const std::optional<EventId> event = events_.Find(step.number, run_.state(node));
  if (!event) return false;
  std::optional<Candidate> candidate = Candidate{node, *event, step.number, kNone, kNone};
  if (event->is_deliver()) {
    candidate = run_.FindDelivery(*event, step.received);
    if (!candidate && enclosing_) {
      candidate = enclosing_->FindDelivery(*event, step.received);
    }
  }
  if (!candidate || step.outcome >= run_.Outcomes(*candidate)) return false;
  Apply(*candidate, step.outcome);
  return true;
}

void Composer::Apply(const Candidate& candidate, uint32_t outcome) {
  if (enclosing_) {
    enclosing_->Apply(candidate, outcome);
  } else {
    run_.Apply(candidate, outcome);
  }
}

// Runs on to the end, and describes the run.
Skeleton Composer::Finish() {
  Complete();
  Skeleton skeleton;
  skeleton.locals.resize(setting_.components.count());
  DescribeLocalSkeletons(skeleton);
  DescribeEnvironments(skeleton);
  if (enclosing_) skeleton.component_behaviour = &enclosing_->InternBehaviour();
  return skeleton;
}

void Composer::Complete() {
  for (;;) {
    if (run_.size() >= setting_.depth_max) {
      cut_off_ = true;
      return;
    }
    enabled_.clear();
    if (enclosing_) {
      enclosing_->Enabled(enabled_);
    } else {
      run_.Enabled(enabled_);
    }
    if (enabled_.empty()) return;
    Apply(enabled_.front(), 0);
  }
}

void Composer::DescribeLocalSkeletons(Skeleton& skeleton) {
  skeleton.trace.reserve(run_.size());
  for (uint32_t position = 0; position < run_.size(); ++position) {
    const Transition& transition = run_.at(position);
    skeleton.trace.push_back(StepOf(transition));
    if (!transition.interface) continue;
    auto& local = skeleton.locals[setting_.components.of(transition.candidate.node).index()];
    local.transitions.push_back(transition.signature);
    local.positions.push_back(position);
    local.behaviour += transition.signature;
  }
  for (uint32_t c = 0; c < skeleton.locals.size(); ++c) {
    const Signature& behaviour = skeleton.locals[c].behaviour;
    skeleton.signature += Skeleton::ComponentSignature(ComponentId(c), behaviour);
  }
}

void Composer::DescribeEnvironments(Skeleton& skeleton) {
  for (uint32_t c = 0; c < skeleton.locals.size(); ++c) {
    const ComponentId component(c);
    Environment& environment = skeleton.locals[c].environment;
    environment.signature = run_.ArrivalsSignature(component);
    if (enclosing_) enclosing_->AddArrivals(component, environment);
    if (known_ && known_(component, environment.signature)) {
      environment.arrivals.clear();
      continue;
    }
    for (uint32_t position = 0; position < run_.size(); ++position) {
      run_.Arrivals(position, component, environment.arrivals);
    }
  }
}

}  // namespace foretell::dir
