#include "foretell/search/liveness/fates.h"

#include "foretell/model/check.h"

namespace foretell::search {

void Fates::LookAtNew() {
  uint32_t next = marks_.size();
  marks_.Grow(static_cast<uint32_t>(search_.store().size()));
  for (; next < marks_.size(); ++next) {
    search_.store().Load(next, state_.fields());
    if (moves_.Live(state_)) marks_.Set(next, Mark::kLive);
  }
}

bool Fates::Judge(model::Budget& budget) {
  LookAtNew();
  marks_.Reopen();
  for (uint32_t i = search_.expanded_count(); i < marks_.size(); ++i) {
    if (marks_[i] == Mark::kOpen) marks_.Set(i, Mark::kAlive);
  }
  for (bool changed = true; changed;) {
    if (!Sweep(budget, changed)) return false;
  }
  if (ask_ && !AskAbout(budget)) return false;
  return marks_.ForOpen(marks_.size(), [this](uint32_t state) {
    SetDead(state);
    return true;
  });
}

// Whether a step of recovery leads to what is known to be alive by now.
bool Fates::Recovers(uint32_t index) {
  search_.store().Load(index, state_.fields());
  space_.TakeCapped();
  return moves_.AnyStep(
      space_, state_, /*all=*/false,
      [&](model::NodeId, model::EventId, const model::Step&, const GlobalState& next) {
        ++looks_;
        const uint32_t successor = search_.store().Find(next.fields());
        if (successor == StateStore::kNone) {
          FORETELL_CHECK(ask_);  // Its predecessor is expanded.
          return false;
        }
        // A copy that got lost is a bound like others: more of it might have helped.
        const Mark mark = marks_[successor];
        return space_.TakeCapped() || mark == Mark::kAlive || mark == Mark::kLive;
      });
}

// Marks who turns out to be alive. Ways to recover mostly lead to states that were found later, so
// those are settled first. False if the budget ended it.
bool Fates::Sweep(model::Budget& budget, bool& changed) {
  changed = false;
  return marks_.ForOpen(search_.expanded_count(), [&](uint32_t state) {
    if (!budget.TakeStep()) return false;
    if (!Recovers(state)) return true;
    marks_.Set(state, Mark::kAlive);
    return changed = true;
  });
}

// Leaves open what is dead. False if the budget ended it.
bool Fates::AskAbout(model::Budget& budget) {
  unknown_count_ = 0;
  return marks_.ForOpen(marks_.size(), [&](uint32_t state) {
    if (!budget.TakeStep()) return false;
    const Fate fate = ask_(state);
    if (fate == Fate::kUnknown) ++unknown_count_;
    if (fate != Fate::kDead) marks_.Set(state, Mark::kAlive);
    return true;
  });
}

uint32_t Fates::first_dead() const {
  uint32_t state = 0;
  while (state < marks_.size() && !dead(state)) ++state;
  FORETELL_CHECK(state < marks_.size());
  return state;
}

void Fates::SetDead(uint32_t state) {
  if (!dead(state)) ++dead_count_;
  marks_.Set(state, Mark::kDead);
}

}  // namespace foretell::search
