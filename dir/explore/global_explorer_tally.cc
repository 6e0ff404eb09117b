// The counts of an exploration.

#include <algorithm>

#include "foretell/dir/explore/global_explorer.h"

namespace foretell::dir {

std::vector<model::TransitionTable*> GlobalExplorer::tables() {
  std::vector<model::TransitionTable*> tables;
  for (const auto& table : tables_) tables.push_back(&table->transitions);
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
  tally.local_traces = local_traces_;
  tally.queue = queue_;
  tally.branchings = branchings_;
  tally.compositions = compositions_;
  tally.longest = longest_;
  tally.bytes = meter_.total_bytes();
  for (uint32_t c = 0; c < components_.size(); ++c) {
    const Component& component = components_[c];
    tally.units += component.units.size();
    tally.explored_traces += component.figures.local_traces;
    if (IsDivided(c)) tally.local_traces += component.figures.local_traces;
    tally.inner_skeletons += component.figures.skeletons;
    tally.transitions += component.figures.transitions;
    tally.blocked += component.figures.blocked;
  }
  return tally;
}

void GlobalExplorer::CountTraces(Tally& tally) const {
  tally.global_traces = 0;
  for (const auto& skeleton : skeletons()) tally.global_traces += TraceCount(*skeleton);
}

// Not of divided components, which a journal, and the level above, know as a whole only: their
// explorers count the traces of their parts.
void GlobalExplorer::AddLocalTraces(uint32_t component, const KnownBehaviour& known,
                                    uint64_t more) {
  if (known.in_skeleton && !IsDivided(component)) local_traces_ += more;
}

double GlobalExplorer::TraceCount(const Skeleton& skeleton) const {
  double count = 1;
  for (uint32_t c = 0; c < components_.size(); ++c) {
    count *= static_cast<double>(LocalTraceCount(components_[c], skeleton.locals[c]));
  }
  return count;
}

// The number of local traces found so far that have a local skeleton.
uint64_t GlobalExplorer::LocalTraceCount(const Component& component, const LocalSkeleton& local) {
  const auto unit = component.units.find(local.environment.signature);
  if (unit == component.units.end()) return 0;
  const auto known = unit->second->behaviours.find(local.behaviour);
  return known == unit->second->behaviours.end() ? 0 : known->second.count;
}

}  // namespace foretell::dir
