#include "dir/global_explorer.h"

#include <algorithm>
#include <utility>

namespace foretell::dir {

GlobalExplorer::GlobalExplorer(const Setting& setting, Checker checker, JobEngine& jobs)
    : setting_(setting), jobs_(jobs), composer_(setting), components_(setting.components.count()) {
  for (uint32_t c = 0; c < setting.components.count(); ++c) {
    components_[c].explorer =
        std::make_unique<LocalExplorer>(setting, setting.components.nodes(ComponentId(c)), checker);
  }
}

GlobalExplorer::~GlobalExplorer() = default;

bool GlobalExplorer::Explore(model::Budget& budget, const Visitor& visitor,
                             const Progress& progress) {
  budget_ = &budget;
  visitor_ = &visitor;
  Add(composer_.First());
  // A system that goes on for ever has no complete traces to compose.
  stopped_ = stopped_ || composer_.cut_off();
  while (jobs_.Next()) {
    if (progress) progress(tally());
  }
  return !stopped_ && !cut_off();
}

void GlobalExplorer::Add(Skeleton skeleton) {
  if (stopped_ || !known_.insert(skeleton.signature).second) return;
  skeletons_.push_back(std::make_unique<Skeleton>(std::move(skeleton)));
  const Skeleton& added = *skeletons_.back();
  longest_ = std::max<uint64_t>(longest_, added.trace.size());
  if (*visitor_) {
    const std::lock_guard lock(budget_mutex_);
    stopped_ = stopped_ || !(*visitor_)(added, composer_, *budget_);
  }
  for (uint32_t c = 0; c < components_.size() && !stopped_; ++c) {
    const Environment& environment = added.parts[c].environment;
    std::unique_ptr<Unit>& unit = components_[c].units[environment.signature];
    if (unit == nullptr) {
      unit = std::make_unique<Unit>();
      unit->environment = environment;
      Submit(ComponentId(c), *unit);
    }
    unit->skeletons.push_back(&added);
    if (unit->explored) Branch(added, ComponentId(c), *unit);
  }
}

void GlobalExplorer::Submit(ComponentId component, Unit& unit) {
  ++queue_;
  jobs_.Submit(component.value(), [this, component, &unit] { return Run(component, unit); });
}

// In whatever thread.
JobEngine::Result GlobalExplorer::Run(ComponentId component, Unit& unit) {
  LocalExplorer& explorer = *components_[component.index()].explorer;
  std::unique_lock lock(budget_mutex_);
  model::Budget share = budget_->Share(100);
  lock.unlock();
  LocalTraces traces;
  const bool lasted = !share.spent() && explorer.Explore(unit.environment, share, traces);
  lock.lock();
  budget_->Charge(share);
  lock.unlock();
  return [this, component, &unit, lasted, traces = std::move(traces),
          transitions = explorer.transitions(), blocked = explorer.blocked(),
          bytes = explorer.bytes(), cut_off = explorer.cut_off()]() mutable {
    Component& own = components_[component.index()];
    own.transitions = transitions;
    own.blocked = blocked;
    own.bytes = bytes;
    own.cut_off = cut_off;
    unit.traces = std::move(traces);
    Finish(component, unit, lasted);
  };
}

void GlobalExplorer::Finish(ComponentId component, Unit& unit, bool lasted) {
  --queue_;
  unit.explored = true;
  for (const auto& [behaviour, count] : unit.traces) local_traces_ += count;
  stopped_ = stopped_ || !lasted;
  // Skeletons that come to this environment from here on find it explored.
  const size_t waiting = unit.skeletons.size();
  for (size_t i = 0; i < waiting && !stopped_; ++i) Branch(*unit.skeletons[i], component, unit);
}

bool GlobalExplorer::TakeStep() {
  const std::lock_guard lock(budget_mutex_);
  return budget_->TakeStep();
}

// What the component can do in this environment but does not do in this skeleton.
void GlobalExplorer::Branch(const Skeleton& skeleton, ComponentId component, const Unit& unit) {
  const Skeleton::Part& part = skeleton.parts[component.index()];
  absl::flat_hash_set<Signature> deviations;
  for (const auto& [behaviour, count] : unit.traces) {
    if (behaviour->signature == part.behaviour) continue;
    if (!Deviates(part, *behaviour, deviations)) continue;
    ++branchings_;
    // With the same behaviour of the others the outcome is the same.
    Signature together = skeleton.signature;
    together -= Skeleton::PartSignature(component, part.behaviour);
    together += SignatureOf({Skeleton::PartSignature(component, behaviour->signature)});
    if (!composed_.insert(together).second) continue;
    ++compositions_;
    stopped_ = stopped_ || !TakeStep();
    if (stopped_) return;
    Add(composer_.Compose(skeleton, component, *behaviour));
  }
}

// Whether `behaviour` deviates in a way that no earlier one did: it goes along with the skeleton
// for as long, but then does something else.
bool GlobalExplorer::Deviates(const Skeleton::Part& part, const Behaviour& behaviour,
                              absl::flat_hash_set<Signature>& deviations) const {
  Signature along;
  Positions deviating;
  std::vector<Signature> first;
  for (const Behaviour::Shown& shown : behaviour.transitions) {
    const auto& own = part.transitions;
    if (std::find(own.begin(), own.end(), shown.signature) != own.end()) {
      along += shown.signature;
      continue;
    }
    if (!behaviour.trace[shown.position].past.Intersects(deviating)) {
      first.push_back(shown.signature);
    }
    deviating.Set(shown.position);
  }
  // To fall silent is a deviation, too: the others may end up waiting for what never comes.
  if (first.empty()) first.push_back(Signature());
  bool fresh = false;
  for (const Signature& transition : first) {
    fresh |= deviations.insert(SignatureOf({along, transition})).second;
  }
  return fresh;
}

std::vector<LocalExplorer*> GlobalExplorer::local_explorers() const {
  std::vector<LocalExplorer*> explorers;
  for (const Component& component : components_) explorers.push_back(component.explorer.get());
  return explorers;
}

bool GlobalExplorer::cut_off() const {
  return composer_.cut_off() ||
         std::any_of(components_.begin(), components_.end(),
                     [](const Component& component) { return component.cut_off; });
}

Tally GlobalExplorer::tally() const {
  Tally tally;
  tally.skeletons = skeletons_.size();
  tally.local_traces = local_traces_;
  tally.queue = queue_;
  tally.branchings = branchings_;
  tally.compositions = compositions_;
  tally.longest = longest_;
  for (const Component& component : components_) {
    tally.units += component.units.size();
    tally.transitions += component.transitions;
    tally.blocked += component.blocked;
    tally.bytes += component.bytes;
  }
  return tally;
}

void GlobalExplorer::CountTraces(Tally& tally) const {
  absl::flat_hash_set<Signature> counted;
  tally.local_traces = 0;
  tally.global_traces = 0;
  for (const auto& skeleton : skeletons_) {
    double global = 1;
    for (uint32_t c = 0; c < components_.size(); ++c) {
      const Skeleton::Part& part = skeleton->parts[c];
      const uint64_t own = Count(components_[c], part);
      global *= static_cast<double>(own);
      const Signature local = SignatureOf({{0, c}, part.environment.signature, part.behaviour});
      if (counted.insert(local).second) tally.local_traces += own;
    }
    tally.global_traces += global;
  }
}

// Local traces of a component's part of a skeleton that were found so far.
uint64_t GlobalExplorer::Count(const Component& component, const Skeleton::Part& part) {
  const auto unit = component.units.find(part.environment.signature);
  if (unit == component.units.end()) return 0;
  for (const auto& [behaviour, count] : unit->second->traces) {
    if (behaviour->signature == part.behaviour) return count;
  }
  return 0;
}

}  // namespace foretell::dir
