#include "dir/global_explorer.h"

#include <algorithm>
#include <utility>

#include "dir/local_explorer.h"
#include "dir/nested_explorer.h"

namespace foretell::dir {

GlobalExplorer::GlobalExplorer(const Setting& setting, Checker checker, JobEngine& jobs)
    : setting_(setting),
      jobs_(jobs),
      bench_(MakeBench()),
      composer_(setting, bench_),
      components_(setting.components.count()),
      coverage_(setting.components.count()) {
  MakeExplorers(checker);
}

GlobalExplorer::GlobalExplorer(const Setting& setting, Workbench& bench, const Setting& whole,
                               ComponentId component, Checker checker, JobEngine& jobs)
    : setting_(setting),
      jobs_(jobs),
      bench_(bench),
      composer_(setting, bench_, whole, component),
      components_(setting.components.count()),
      coverage_(setting.components.count()) {
  MakeExplorers(checker);
}

Workbench& GlobalExplorer::MakeBench() {
  benches_.push_back(std::make_unique<Workbench>(setting_.service, setting_.lexicon));
  return *benches_.back();
}

void GlobalExplorer::MakeExplorers(Checker checker) {
  for (uint32_t c = 0; c < components_.size(); ++c) {
    const ComponentId id(c);
    Workbench& bench = jobs_.parallel() ? MakeBench() : bench_;
    if (IsDivided(c)) {
      components_[c].explorer = std::make_unique<NestedExplorer>(setting_, bench, id, checker);
    } else {
      components_[c].explorer =
          std::make_unique<LocalExplorer>(setting_, bench, setting_.components.nodes(id), checker);
    }
  }
  Attach(&own_held_, &stopped_);
  composer_.Omit([this](ComponentId component, const Signature& environment) {
    return components_[component.index()].units.contains(environment);
  });
}

void GlobalExplorer::Attach(std::atomic<uint64_t>* meter, const std::atomic<bool>* stop) {
  held_ = meter;
  stop_ = stop;
  for (const Component& component : components_) component.explorer->Attach(meter, stop);
}

// Units may be running if a judge, or a service, has thrown.
GlobalExplorer::~GlobalExplorer() {
  stopped_ = true;
  jobs_.Abandon();
}

bool GlobalExplorer::Explore(model::Budget& budget, Judge* judge, const Progress& progress) {
  Forget();
  stopped_ = false;
  budget_ = &budget;
  judge_ = judge;
  Add(composer_.First(), kNone);
  // A system that goes on for ever has no complete traces to compose.
  stopped_ = stopped_ || skeletons_.front()->trace.size() >= setting_.depth_max;
  BranchAll();
  while (jobs_.Next()) {
    if (progress) progress(tally());
  }
  return !stopped_ && !cut_off();
}

// What is known of units stays true.
void GlobalExplorer::Forget() {
  skeletons_before_ += skeletons_.size();
  skeleton_bytes_ = 0;
  skeletons_.clear();
  known_.clear();
  coverage_ = Coverage(static_cast<uint32_t>(components_.size()));
  composed_.clear();
  Meter();
  for (Component& component : components_) {
    for (auto& [environment, unit] : component.units) unit->skeletons.clear();
  }
}

void GlobalExplorer::Add(Skeleton skeleton, uint32_t origin) {
  if (stopped_ || !known_.insert(skeleton.signature).second) return;
  skeletons_.push_back(std::make_unique<Skeleton>(std::move(skeleton)));
  const Skeleton& added = *skeletons_.back();
  const auto number = static_cast<uint32_t>(skeletons_.size() - 1);
  coverage_.Add(added, origin);
  longest_ = std::max<uint64_t>(longest_, added.trace.size());
  skeleton_bytes_ += BytesOf(added);
  Meter();
  if (judge_ != nullptr) {
    const std::lock_guard lock(budget_mutex_);
    stopped_ = stopped_ || !judge_->Visit(added, composer_, *budget_);
  }
  for (uint32_t c = 0; c < components_.size() && !stopped_; ++c) {
    const Environment& environment = added.parts[c].environment;
    std::unique_ptr<Unit>& unit = components_[c].units[environment.signature];
    if (unit == nullptr) {
      unit = std::make_unique<Unit>();
      unit->environment = environment;
      unit_bytes_ += sizeof(Unit) + environment.arrivals.size() * sizeof(Arrival);
      Submit(ComponentId(c), *unit);
    }
    unit->skeletons.push_back(number);
    if (unit->explored) pending_.push_back({number, ComponentId(c), unit.get()});
  }
}

void GlobalExplorer::Meter() {
  const uint64_t own = skeleton_bytes_ + unit_bytes_ + composer_.bytes() + coverage_.bytes() +
                       (known_.capacity() + composed_.capacity()) * sizeof(Signature);
  *held_ += bench_.Grown() + own - std::exchange(metered_, own);
}

void GlobalExplorer::Submit(ComponentId component, Unit& unit) {
  ++queue_;
  jobs_.Submit(component.value(), [this, component, &unit] { return Run(component, unit); });
}

// In whatever thread.
JobEngine::Result GlobalExplorer::Run(ComponentId component, Unit& unit) {
  if (const UnitResult* const result = FindRestored(component, unit)) {
    return [this, component, &unit, result] {
      Restore(*result, unit);
      Finish(component, unit, /*lasted=*/true);
    };
  }
  ComponentExplorer& explorer = *components_[component.index()].explorer;
  std::unique_lock lock(budget_mutex_);
  const bool anything_left = !stopped_ && budget_->Poll();
  model::Budget share = budget_->Share(100);
  lock.unlock();
  Explored explored;
  explored.lasted = anything_left && explorer.Explore(unit.environment, share, explored.traces);
  explored.suspects = explorer.TakeSuspects();
  explored.figures = explorer.figures();
  lock.lock();
  budget_->Charge(share);
  budget_->HoldBytes(*held_);
  budget_->Poll();  // It ended if its share did.
  lock.unlock();
  return [this, component, &unit, explored = std::move(explored)]() mutable {
    Conclude(component, unit, std::move(explored));
  };
}

void GlobalExplorer::Conclude(ComponentId component, Unit& unit, Explored explored) {
  Component& state = components_[component.index()];
  // Whatever comes in after the end does not count: it depends on how many threads there are.
  const bool counts = !stopped_;
  for (const Suspect& suspect : explored.suspects) Confirm(component, unit, suspect);
  state.suspicious = state.suspicious || !explored.suspects.empty();
  // What a bound has cut off is no result: another life may have another bound. And suspects have
  // to be found again, be it in a unit that had none because an earlier one had it.
  const bool whole = explored.lasted && !explored.figures.cut_off && !state.suspicious;
  unit.traces = std::move(explored.traces);
  if (whole && journal_ != nullptr) journal_->Write(ResultOf(component, unit));
  if (!counts) unit.traces.clear();
  if (counts) state.figures = explored.figures;
  Finish(component, unit, explored.lasted);
}

void GlobalExplorer::Finish(ComponentId component, Unit& unit, bool lasted) {
  --queue_;
  unit.explored = true;
  for (const auto& [behaviour, count] : unit.traces) {
    unit.behaviours[behaviour->signature].count += count;
  }
  unit_bytes_ += unit.traces.size() * (sizeof(LocalTraces::value_type) + sizeof(Known));
  stopped_ = stopped_ || !lasted;
  for (const uint32_t skeleton : unit.skeletons) pending_.push_back({skeleton, component, &unit});
  BranchAll();
}

// Shows what the component has broken as part of an execution of all. That is worth its while even
// if the budget is spent.
void GlobalExplorer::Confirm(ComponentId component, const Unit& unit, const Suspect& suspect) {
  if (judge_ == nullptr) return;
  const Skeleton& around = *skeletons_[unit.skeletons.front()];
  const Skeleton whole = composer_.Compose(around, component, suspect.behaviour);
  stopped_ = !judge_->Confirm(whole, composer_, suspect.broken) || stopped_;
}

void GlobalExplorer::Resume(std::vector<UnitResult> results) {
  for (UnitResult& result : results) {
    const Signature key = Skeleton::PartSignature(result.component, result.environment);
    restored_.insert_or_assign(key, std::move(result));
  }
}

// What an earlier life found out about the unit, or null. It takes its turn like any other, so that
// everything comes in the order in which it would have come without.
const UnitResult* GlobalExplorer::FindRestored(ComponentId component, const Unit& unit) const {
  const auto found = restored_.find(Skeleton::PartSignature(component, unit.environment.signature));
  return found == restored_.end() ? nullptr : &found->second;
}

void GlobalExplorer::Restore(const UnitResult& result, Unit& unit) {
  for (const auto& [behaviour, count] : result.traces) {
    unit.traces.emplace_back(&behaviour, count);
    restored_traces_ += count;
  }
}

UnitResult GlobalExplorer::ResultOf(ComponentId component, const Unit& unit) {
  UnitResult result{component, unit.environment.signature, {}};
  for (const auto& [behaviour, count] : unit.traces) result.traces.emplace_back(*behaviour, count);
  return result;
}

bool GlobalExplorer::TakeStep() {
  const std::lock_guard lock(budget_mutex_);
  budget_->HoldBytes(*held_);
  return !*stop_ && budget_->Poll() && budget_->TakeStep();
}

// Where no steps are taken for a while.
bool GlobalExplorer::Poll() {
  const std::lock_guard lock(budget_mutex_);
  return !*stop_ && budget_->Poll();
}

// Until nothing is left that could be done without exploring further units.
void GlobalExplorer::BranchAll() {
  while (!pending_.empty() && !stopped_) {
    const Pending next = pending_.back();
    pending_.pop_back();
    Branch(next.skeleton, next.component, *next.unit);
  }
}

// Composes the skeleton with what the component can do in this environment but does not do in this
// skeleton.
//
// That finds everything. Let g be a skeleton of the system, k a known one that has as much of g as
// any, p what they have in common, and t a transition of g that comes next after p, of component c.
// All that p and t received is in k's environment of c, so that c has a behaviour there with t and
// its part of p, which leaves k along with at least p, by t. What IsCovered asks for, or else the
// composition yields, is a skeleton with all of k that does not depend on what c left out, and t:
// p and t. So p is all of g. If k goes on where g is complete, some components fall silent in g,
// and that is composed with every k, too (docs/decisions/0021).
//
// Where nothing of the rest is novel, the skeleton that this one was composed with has all of it,
// and all that the deviation receives was sent there, too: it has the same deviation, with at least
// that rest, or its own origin has. The first skeleton has no origin.
void GlobalExplorer::Branch(uint32_t number, ComponentId component, Unit& unit) {
  const Skeleton& skeleton = *skeletons_[number];
  const Skeleton::Part& part = skeleton.parts[component.index()];
  std::optional<std::vector<Deviations>>& groups = unit.behaviours[part.behaviour].deviations;
  if (!groups) {
    groups = FindDeviations(part.transitions, unit.traces);
    unit_bytes_ += BytesOf(*groups);
  }
  Coverage::Rest rest;
  for (const Deviations& group : *groups) {
    coverage_.Drop(number, component, group.dropped, rest);
    for (const Deviation& deviation : group.ways) {
      if (!rest.novel && !deviation.first.empty()) continue;
      constexpr uint64_t kStride = 1024;
      if (++branchings_ % kStride == 0 && !Poll()) stopped_ = true;
      if (stopped_) return;
      if (IsCovered(component, deviation, rest)) continue;
      ++compositions_;
      stopped_ = stopped_ || !TakeStep();
      if (stopped_) return;
      Add(composer_.Compose(skeleton, component, *deviation.behaviour), number);
    }
  }
}

// Whether `rest` of a skeleton with the component's deviation was composed before, or is part of a
// known skeleton however that came about. Remembers that it is from now on.
bool GlobalExplorer::IsCovered(ComponentId component, const Deviation& deviation,
                               const Coverage::Rest& rest) {
  // Who falls silent leaves nothing to tell by whether the others would have.
  if (deviation.first.empty()) return false;
  bool covered = true;
  for (const Signature& next : deviation.first) {
    const Signature prefix = rest.signature + Skeleton::PartSignature(component, next);
    if (!composed_.insert(prefix).second) continue;
    covered = covered && coverage_.Covers(rest, component, next);
  }
  return covered;
}

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
