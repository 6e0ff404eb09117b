#include "foretell/search/liveness/fates.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::search {

void Fates::LookAtNew() {
  GlobalState state(space_.table().node_count());
  for (auto i = static_cast<uint32_t>(live_.size()); i < search_.store().size(); ++i) {
    search_.store().Load(i, state.fields());
    live_.push_back(moves_.Live(state));
  }
}

bool Fates::Judge(model::Budget& budget) {
  LookAtNew();
  const uint32_t expanded = search_.expanded_count();
  alive_ = live_;
  std::vector<uint32_t> open;
  // Ways to recover mostly lead to states that were found later, so those are settled first.
  for (auto i = static_cast<uint32_t>(live_.size()); i-- > 0;) {
    if (i >= expanded) alive_[i] = true;
    if (!alive_[i] && !dead(i)) open.push_back(i);
  }
  for (bool changed = true; changed;) {
    if (!Sweep(open, budget, changed)) return false;
  }
  if (ask_ && !AskAbout(open, budget)) return false;
  dead_.resize(live_.size(), false);
  for (const uint32_t state : open) dead_[state] = true;
  dead_count_ += open.size();
  return true;
}

// Drops from `open` what turns out to be alive. False if the budget ended it.
bool Fates::Sweep(std::vector<uint32_t>& open, model::Budget& budget, bool& changed) {
  const size_t before = open.size();
  GlobalState state(space_.table().node_count());
  size_t kept = 0;
  for (size_t i = 0; i < open.size(); ++i) {
    if (!budget.TakeStep()) return false;
    search_.store().Load(open[i], state.fields());
    space_.TakeCapped();
    const bool saved = moves_.AnyStep(
        space_, state, /*all=*/false,
        [&](model::NodeId, model::EventId, const model::Step&, const GlobalState& next) {
          ++looks_;
          const uint32_t index = search_.store().Find(next.fields());
          if (index == StateStore::kNone) {
            FORETELL_CHECK(ask_);  // Its predecessor is expanded.
            return false;
          }
          // A copy that got lost is a bound like others: more of it might have helped.
          return space_.TakeCapped() || (alive_[index] && !dead(index));
        });
    if (saved) {
      alive_[open[i]] = true;
    } else {
      open[kept++] = open[i];
    }
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
