#include "dir/global_explorer.h"

#include <algorithm>
#include <utility>

#include "dir/local_explorer.h"
#include "dir/nested_explorer.h"

namespace foretell::dir {

GlobalExplorer::GlobalExplorer(const CheckSetting& setting, Checker checker, JobEngine& jobs)
    : setting_(setting),
      jobs_(jobs),
      table_(MakeTable()),
      composer_(setting, table_),
      components_(setting.components.count()),
      coverage_(setting.components.count()) {
  MakeExplorers(checker);
}

GlobalExplorer::GlobalExplorer(const CheckSetting& setting, NumberedTable& table,
                               const CheckSetting& whole, ComponentId component, Checker checker,
                               JobEngine& jobs)
    : setting_(setting),
      jobs_(jobs),
      table_(table),
      composer_(setting, table_, whole, component),
      components_(setting.components.count()),
      coverage_(setting.components.count()) {
  MakeExplorers(checker);
}

NumberedTable& GlobalExplorer::MakeTable() {
  tables_.push_back(std::make_unique<NumberedTable>(setting_.service, setting_.event_numbers));
  return *tables_.back();
}

void GlobalExplorer::MakeExplorers(Checker checker) {
  for (uint32_t c = 0; c < components_.size(); ++c) {
    const ComponentId id(c);
    NumberedTable& table = jobs_.parallel() ? MakeTable() : table_;
    if (IsDivided(c)) {
      components_[c].explorer = std::make_unique<NestedExplorer>(setting_, table, id, checker);
    } else {
      components_[c].explorer =
          std::make_unique<LocalExplorer>(setting_, table, setting_.components.nodes(id), checker);
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
  progress_ = progress;
  Add(composer_.First(), kNone);
  // A system that goes on for ever has no complete traces to compose.
  stopped_ = stopped_ || skeletons_.front()->trace.size() >= setting_.depth_max;
  BranchAll();
  while (jobs_.Next()) Tell();
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
    const Environment& environment = added.locals[c].environment;
    std::unique_ptr<Unit>& unit = components_[c].units[environment.signature];
    if (unit == nullptr) {
      unit = std::make_unique<Unit>();
      unit->environment = environment;
      unit_bytes_ += sizeof(Unit) + environment.arrivals.size() * sizeof(Arrival);
      Submit(ComponentId(c), *unit);
    }
    unit->skeletons.push_back(number);
    Known& known = unit->behaviours[added.locals[c].behaviour];
    if (!std::exchange(known.in_skeleton, true)) Count(c, known, known.count);
    if (unit->explored) pending_.push_back({number, ComponentId(c), unit.get()});
  }
}

void GlobalExplorer::Meter() {
  const uint64_t own = skeleton_bytes_ + unit_bytes_ + composer_.bytes() + coverage_.bytes() +
                       (known_.capacity() + composed_.capacity()) * sizeof(Signature);
  *held_ += table_.TakeGrowth() + own - std::exchange(metered_, own);
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

void GlobalExplorer::Tell() const {
  if (progress_) progress_(tally());
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
  const LocalSkeleton& local = skeleton.locals[component.index()];
  std::optional<std::vector<Deviations>>& groups = unit.behaviours[local.behaviour].deviations;
  if (!groups) {
    if (!Poll()) stopped_ = true;  // It takes a while, and there may be nothing novel anywhere.
    if (stopped_) return;
    groups = FindDeviations(local.transitions, unit.traces);
    unit_bytes_ += BytesOf(*groups);
  }
  Coverage::Rest rest;
  for (const Deviations& group : *groups) {
    constexpr uint64_t kStride = 1024;
    if (++drops_ % kStride == 0 && !Poll()) stopped_ = true;
    if (stopped_) return;
    coverage_.Drop(number, component, group.dropped, rest);
    for (const Deviation& deviation : group.ways) {
      if (!rest.novel && !deviation.first.empty()) continue;
      if (++branchings_ % kStride == 0 && !Poll()) stopped_ = true;
      if (stopped_) return;
      if (IsCovered(component, deviation, rest)) continue;
      ++compositions_;
      stopped_ = stopped_ || !TakeStep();
      if (stopped_) return;
      Add(composer_.Compose(skeleton, component, *deviation.behaviour), number);
      constexpr uint64_t kTellStride = 256;
      if (compositions_ % kTellStride == 0) Tell();
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
    const Signature prefix = rest.signature + Skeleton::ComponentSignature(component, next);
    if (!composed_.insert(prefix).second) continue;
    covered = covered && coverage_.Covers(rest, component, next);
  }
  return covered;
}

}  // namespace foretell::dir
