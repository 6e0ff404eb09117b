#include "foretell/dir/explore/global_explorer.h"

#include <algorithm>
#include <utility>

#include "foretell/dir/explore/local_explorer.h"
#include "foretell/dir/explore/nested_explorer.h"

namespace foretell::dir {

GlobalExplorer::GlobalExplorer(const CheckSetting& setting, Checker checker, JobEngine& jobs)
    : setting_(setting),
      jobs_(jobs),
      table_(MakeTable()),
      composer_(setting, table_),
      components_(setting.components.count()),
      skeletons_(setting.components.count()) {
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
      skeletons_(setting.components.count()) {
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
  Attach(meter_.total(), &stopped_);
  composer_.OmitArrivals([this](ComponentId component, const Signature& environment) {
    return components_[component.index()].units.contains(environment);
  });
}

void GlobalExplorer::Attach(std::atomic<uint64_t>* held, const std::atomic<bool>* stop) {
  meter_.Share(held);
  stop_ = stop;
  for (const Component& component : components_) component.explorer->Attach(held, stop);
}

// Units may be running if a visitor, or a service, has thrown.
GlobalExplorer::~GlobalExplorer() {
  stopped_ = true;
  jobs_.Abandon();
}

bool GlobalExplorer::Explore(model::Budget& budget, SkeletonVisitor* visitor,
                             const Progress& progress) {
  ForgetSkeletons();
  stopped_ = false;
  {
    const model::MutexLock lock(budget_mutex_);
    budget_ = &budget;
  }
  visitor_ = visitor;
  progress_ = progress;
  AddSkeleton(composer_.ComposeFirst(), kNone);
  // A system that goes on for ever has no complete traces to compose.
  stopped_ = stopped_ || skeletons_[0].trace.size() >= setting_.depth_max;
  BranchAll();
  while (jobs_.Next()) ReportProgress();
  return !stopped_ && !cut_off();
}

// Units keep their traces, which stay true.
void GlobalExplorer::ForgetSkeletons() {
  skeletons_before_ += skeletons_.size();
  skeletons_.Clear();
  UpdateMeter();
  for (Component& component : components_) {
    for (auto& [environment, unit] : component.units) unit->skeletons.clear();
  }
}

void GlobalExplorer::AddSkeleton(Skeleton skeleton, uint32_t origin) {
  if (stopped_) return;
  const Skeleton* const added = skeletons_.Add(std::move(skeleton), origin);
  if (added == nullptr) return;
  const uint32_t number = skeletons_.size() - 1;
  longest_ = std::max<uint64_t>(longest_, added->trace.size());
  UpdateMeter();
  if (visitor_ != nullptr) {
    const model::MutexLock lock(budget_mutex_);
    stopped_ = stopped_ || !visitor_->Visit(*added, composer_, *budget_);
  }
  for (uint32_t c = 0; c < components_.size() && !stopped_; ++c) {
    const Environment& environment = added->locals[c].environment;
    std::unique_ptr<Unit>& unit = components_[c].units[environment.signature];
    if (unit == nullptr) {
      unit = std::make_unique<Unit>();
      unit->environment = environment;
      unit_bytes_ += sizeof(Unit) + environment.arrivals.size() * sizeof(Arrival);
      SubmitUnit(ComponentId(c), *unit);
    }
    unit->skeletons.push_back(number);
    KnownBehaviour& known = unit->behaviours[added->locals[c].behaviour];
    if (!std::exchange(known.in_skeleton, true)) AddLocalTraces(c, known, known.count);
    if (unit->explored) pending_.push_back({number, ComponentId(c), unit.get()});
  }
}

void GlobalExplorer::UpdateMeter() {
  meter_.Update(table_, skeletons_.bytes() + unit_bytes_ + composer_.bytes());
}

bool GlobalExplorer::TakeStep() {
  const model::MutexLock lock(budget_mutex_);
  budget_->HoldBytes(meter_.total_bytes());
  return !*stop_ && budget_->Poll() && budget_->TakeStep();
}

// Polls the budget where no steps are taken for a while.
bool GlobalExplorer::Poll() {
  const model::MutexLock lock(budget_mutex_);
  return !*stop_ && budget_->Poll();
}

void GlobalExplorer::ReportProgress() const {
  if (progress_) progress_(tally());
}

// Branches until nothing is left that could be done without exploring further units.
void GlobalExplorer::BranchAll() {
  while (!pending_.empty() && !stopped_) {
    const PendingBranch next = pending_.back();
    pending_.pop_back();
    Branch(next.skeleton, next.component, *next.unit);
  }
}

// Composes the skeleton with the deviations of the component: its behaviours in this environment
// other than the one in this skeleton.
//
// That finds everything. Let g be a skeleton of the system, k a known one that has as much of g as
// any, p what they have in common, and t a transition of g that comes next after p, of component c.
// All that p and t received is in k's environment of c, so that c has a behaviour there with t and
// its part of p, which leaves k along with at least p, by t. IsCovered asks for a skeleton with all
// of k that does not depend on what c left out, and t; if there is none, the composition yields it.
// It has p and t. So p is all of g. If k goes on where g is complete, some components fall silent
// in g, and that is composed with every k, too (docs/decisions/0021).
//
// Where nothing of the rest is novel, the skeleton that this one was composed with has all of it,
// and all that the deviation receives was sent there, too: it has the same deviation, with at least
// that rest, or its own origin has. The first skeleton has no origin.
void GlobalExplorer::Branch(uint32_t number, ComponentId component, Unit& unit) {
  const Skeleton& skeleton = skeletons_[number];
  const LocalSkeleton& local = skeleton.locals[component.index()];
  std::optional<std::vector<DeviationGroup>>& groups = unit.behaviours[local.behaviour].deviations;
  if (!groups) {
    if (!Poll()) stopped_ = true;  // It takes a while, and there may be nothing novel anywhere.
    if (stopped_) return;
    groups = FindDeviations(local.transitions, unit.traces);
    unit_bytes_ += BytesOf(*groups);
  }
  Coverage::Rest rest;
  for (const DeviationGroup& group : *groups) {
    constexpr uint64_t kStride = 1024;
    if (++drops_ % kStride == 0 && !Poll()) stopped_ = true;
    if (stopped_) return;
    skeletons_.coverage().Drop(number, component, group.dropped, rest);
    for (const Deviation& deviation : group.deviations) {
      if (!rest.novel && !deviation.first.empty()) continue;
      if (++branchings_ % kStride == 0 && !Poll()) stopped_ = true;
      if (stopped_) return;
      if (skeletons_.IsCovered(component, deviation, rest)) continue;
      ++compositions_;
      stopped_ = stopped_ || !TakeStep();
      if (stopped_) return;
      AddSkeleton(composer_.Compose(skeleton, component, *deviation.behaviour), number);
      constexpr uint64_t kTellStride = 256;
      if (compositions_ % kTellStride == 0) ReportProgress();
    }
  }
}

}  // namespace foretell::dir
