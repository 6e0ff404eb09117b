// How far it has come, and what that stands for.

#include <algorithm>

#include "dir/global_explorer.h"

namespace foretell::dir {

std::vector<model::TransitionTable*> GlobalExplorer::tables() {
  std::vector<model::TransitionTable*> tables;
  for (const auto& bench : benches_) tables.push_back(&bench->table);
  return tables;
}

bool GlobalExplorer::cut_off() const {
  return composer_.cut_off() ||
         std::any_of(components_.begin(), components_.end(),
                     [](const Component& component) { return component.figures.cut_off; });
}

Tally GlobalExplorer::tally() const {
  Tally tally;
  tally.skeletons = skeletons_before_ + skeletons_.size();
  tally.local_traces = restored_traces_;
  tally.queue = queue_;
  tally.branchings = branchings_;
  tally.compositions = compositions_;
  tally.longest = longest_;
  tally.bytes = *held_;
  for (const Component& component : components_) {
    tally.units += component.units.size();
    tally.local_traces += component.figures.local_traces;
    tally.inner_skeletons += component.figures.skeletons;
    tally.transitions += component.figures.transitions;
    tally.blocked += component.figures.blocked;
  }
  return tally;
}

void GlobalExplorer::CountTraces(Tally& tally) const {
  absl::flat_hash_set<Signature> counted;
  tally.local_traces = 0;
  tally.global_traces = 0;
  for (uint32_t c = 0; c < components_.size(); ++c) {
    if (IsDivided(c)) tally.local_traces += components_[c].figures.local_traces;
  }
  for (const auto& skeleton : skeletons_) {
    for (uint32_t c = 0; c < components_.size(); ++c) {
      if (IsDivided(c)) continue;
      const Skeleton::Part& part = skeleton->parts[c];
      const Signature local = SignatureOf({{0, c}, part.environment.signature, part.behaviour});
      if (counted.insert(local).second) tally.local_traces += Count(components_[c], part);
    }
    tally.global_traces += Count(*skeleton);
  }
}

double GlobalExplorer::Count(const Skeleton& skeleton) const {
  double count = 1;
  for (uint32_t c = 0; c < components_.size(); ++c) {
    count *= static_cast<double>(Count(components_[c], skeleton.parts[c]));
  }
  return count;
}

// Local traces of a component's part of a skeleton that were found so far.
uint64_t GlobalExplorer::Count(const Component& component, const Skeleton::Part& part) {
  const auto unit = component.units.find(part.environment.signature);
  if (unit == component.units.end()) return 0;
  const auto known = unit->second->behaviours.find(part.behaviour);
  return known == unit->second->behaviours.end() ? 0 : known->second.count;
}

}  // namespace foretell::dir
