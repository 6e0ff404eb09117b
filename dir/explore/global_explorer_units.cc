// Units of work: running them, and their results, be they of this run or of an earlier one.

#include <utility>

#include "foretell/dir/explore/global_explorer.h"

namespace foretell::dir {

void GlobalExplorer::SubmitUnit(ComponentId component, Unit& unit) {
  ++queue_;
  jobs_.Submit(component.value(), [this, component, &unit] { return RunUnit(component, unit); });
}

// Runs in any thread; the result in the driver's.
JobEngine::Result GlobalExplorer::RunUnit(ComponentId component, Unit& unit) {
  if (const UnitResult* const result = FindRestored(component, unit)) {
    return [this, component, &unit, result] {
      Restore(*result, unit);
      FinishUnit(component, unit, /*finished=*/true);
    };
  }
  ComponentExplorer& explorer = *components_[component.index()].explorer;
  model::MutexLock lock(budget_mutex_);
  const bool anything_left = !stopped_ && budget_->Poll();
  model::Budget share = budget_->Share(100);
  lock.Unlock();
  UnitOutcome outcome;
  outcome.finished = anything_left && explorer.Explore(unit.environment, share, outcome.traces);
  outcome.suspects = explorer.TakeSuspects();
  outcome.figures = explorer.figures();
  lock.Lock();
  budget_->Charge(share);
  budget_->HoldBytes(meter_.total_bytes());
  budget_->Poll();  // It ended if its share did.
  lock.Unlock();
  return [this, component, &unit, outcome = std::move(outcome)]() mutable {
    ConcludeUnit(component, unit, std::move(outcome));
  };
}

void GlobalExplorer::ConcludeUnit(ComponentId component, Unit& unit, UnitOutcome outcome) {
  Component& state = components_[component.index()];
  // A result that comes in after the end does not count: it depends on how many threads there are.
  const bool counts = !stopped_;
  for (const Suspect& suspect : outcome.suspects) Confirm(component, unit, suspect);
  state.suspicious = state.suspicious || !outcome.suspects.empty();
  // A unit that a bound has cut off is no result: another run may have another bound. And suspects
  // have to be found again, be it in a unit that had none because an earlier one had it.
  const bool whole = outcome.finished && !outcome.figures.cut_off && !state.suspicious;
  unit.traces = std::move(outcome.traces);
  if (whole && journal_ != nullptr) journal_->Write(ResultOf(component, unit));
  if (!counts) unit.traces.clear();
  if (counts) state.figures = outcome.figures;
  FinishUnit(component, unit, outcome.finished);
}

void GlobalExplorer::FinishUnit(ComponentId component, Unit& unit, bool finished) {
  --queue_;
  unit.explored = true;
  for (const auto& [behaviour, count] : unit.traces) {
    KnownBehaviour& known = unit.behaviours[behaviour->signature];
    known.count += count;
    AddLocalTraces(component.value(), known, count);
  }
  unit_bytes_ += unit.traces.size() * (sizeof(LocalTraces::value_type) + sizeof(KnownBehaviour));
  stopped_ = stopped_ || !finished;
  for (const uint32_t skeleton : unit.skeletons) pending_.push_back({skeleton, component, &unit});
  BranchAll();
}

// Shows the suspect as part of an execution of all components. That is worth its while even if the
// budget is spent.
void GlobalExplorer::Confirm(ComponentId component, const Unit& unit, const Suspect& suspect) {
  if (visitor_ == nullptr) return;
  const Skeleton& around = skeletons_[unit.skeletons.front()];
  const Skeleton whole = composer_.Compose(around, component, suspect.behaviour);
  stopped_ = !visitor_->Confirm(whole, composer_, suspect.broken) || stopped_;
}

void GlobalExplorer::Resume(std::vector<UnitResult> results) {
  for (UnitResult& result : results) {
    const Signature key = Skeleton::ComponentSignature(result.component, result.environment);
    restored_.insert_or_assign(key, std::move(result));
  }
}

// The result of an earlier run for the unit, or null. It takes its turn like any other, so that
// everything comes in the order in which it would have come without.
const UnitResult* GlobalExplorer::FindRestored(ComponentId component, const Unit& unit) const {
  const auto found =
      restored_.find(Skeleton::ComponentSignature(component, unit.environment.signature));
  return found == restored_.end() ? nullptr : &found->second;
}

void GlobalExplorer::Restore(const UnitResult& result, Unit& unit) {
  for (const auto& [behaviour, count] : result.traces) {
    unit.traces.emplace_back(&behaviour, count);
  }
}

UnitResult GlobalExplorer::ResultOf(ComponentId component, const Unit& unit) {
  UnitResult result{component, unit.environment.signature, {}};
  for (const auto& [behaviour, count] : unit.traces) result.traces.emplace_back(*behaviour, count);
  return result;
}

}  // namespace foretell::dir
