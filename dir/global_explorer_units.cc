// Units of work: where they run, what becomes of their results, and those of an earlier life.

#include <mutex>
#include <utility>

#include "dir/global_explorer.h"

namespace foretell::dir {

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
    Known& known = unit.behaviours[behaviour->signature];
    known.count += count;
    Count(component.value(), known, count);
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
    const Signature key = Skeleton::ComponentSignature(result.component, result.environment);
    restored_.insert_or_assign(key, std::move(result));
  }
}

// What an earlier life found out about the unit, or null. It takes its turn like any other, so that
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
