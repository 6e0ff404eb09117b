#include "foretell/search/liveness/fates.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::search {

void Fates::LookAtNew() {
  for (auto i = static_cast<uint32_t>(live_.size()); i < search_.store().size(); ++i) {
    search_.store().Load(i, state_.fields());
    live_.push_back(moves_.Live(state_));
  }
}

bool Fates::Judge(model::Budget& budget) {
  LookAtNew();
  const uint32_t expanded = search_.expanded_count();
  alive_ = live_;
  std::fill(alive_.begin() + expanded, alive_.end(), true);
  std::vector<uint32_t> open;
  // Ways to recover mostly lead to states that were found later, so those are settled first, and
  // what a list has to be kept of is little.
  for (uint32_t i = expanded; i-- > 0;) {
    if (alive_[i] || dead(i)) continue;
    if (!budget.TakeStep()) return false;
    alive_[i] = Recovers(i);
    if (!alive_[i]) open.push_back(i);
  }
  bytes_ = std::max(bytes_, 3 * alive_.size() / 8 + open.capacity() * sizeof(open[0]));
  for (bool changed = true; changed;) {
    if (!Sweep(open, budget, changed)) return false;
  }
  if (ask_ && !AskAbout(open, budget)) return false;
  dead_.resize(live_.size(), false);
  for (const uint32_t state : open) dead_[state] = true;
  dead_count_ += open.size();
  return true;
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
        return space_.TakeCapped() || (alive_[successor] && !dead(successor));
      });
}

// Drops from `open` what turns out to be alive. False if the budget ended it.
bool Fates::Sweep(std::vector<uint32_t>& open, model::Budget& budget, bool& changed) {
  const size_t before = open.size();
  size_t kept = 0;
  for (const uint32_t index : open) {
    if (!budget.TakeStep()) return false;
    alive_[index] = Recovers(index);
    if (!alive_[index]) open[kept++] = index;
  }
  open.resize(kept);
  changed = kept != before;
  return true;
}

// Keeps in `open` what is dead. False if the budget ended it.
bool Fates::AskAbout(std::vector<uint32_t>& open, model::Budget& budget) {
  unknown_count_ = 0;
  std::vector<uint32_t> dead;
  for (const uint32_t state : open) {
    if (!budget.TakeStep()) return false;
    const Fate fate = ask_(state);
    if (fate == Fate::kDead) dead.push_back(state);
    if (fate == Fate::kUnknown) ++unknown_count_;
  }
  open = std::move(dead);
  return true;
}

uint32_t Fates::first_dead() const {
  const auto found = std::find(dead_.begin(), dead_.end(), true);
  FORETELL_CHECK(found != dead_.end());
  return static_cast<uint32_t>(found - dead_.begin());
}

void Fates::SetDead(uint32_t state) {
  dead_.resize(live_.size(), false);
  if (!dead_[state]) ++dead_count_;
  dead_[state] = true;
}

}  // namespace foretell::search
