#include "foretell/search/liveness/losses.h"

#include <algorithm>

namespace foretell::search {

bool Losses::Judge(model::Budget& budget) {
  constexpr uint32_t kRounds = 7;
  GlobalState state = search_.MakeState();
  for (; next_ < search_.store().size(); ++next_) {
    if (!budget.TakeStep()) return false;
    search_.store().Load(next_, state.fields());
    if (fates_.live(next_)) continue;
    if (OfNodes(state, next_, budget) != Oracle::Fate::kDead) continue;
    first_dead_ = std::min(first_dead_, next_);
    const GlobalState here = oracle_.Place(space_, state, /*emptied=*/false);
    if (oracle_.Judge(here, budget, kRounds).fate == Oracle::Fate::kDead) fates_.SetDead(next_);
  }
  return true;
}

Oracle::Fate Losses::OfNodes(const GlobalState& state, uint32_t index, model::Budget& budget) {
  std::vector<uint32_t> ids(state.node_count());
  for (uint32_t n = 0; n < state.node_count(); ++n) ids[n] = state.state(model::NodeId(n)).value();
  const uint32_t id = nodes_.Intern(ids);
  if (id < fates_of_.size()) return fates_of_[id];
  const Oracle::Answer answer =
      oracle_.Judge(oracle_.Place(space_, state, /*emptied=*/true), budget);
  fates_of_.push_back(answer.fate);
  if (answer.fate == Oracle::Fate::kDead) ++dead_count_;
  if (answer.fate == Oracle::Fate::kUnknown && unknown_count_++ == 0) {
    unknown_ = answer;
    first_unknown_ = index;
  }
  return answer.fate;
}

}  // namespace foretell::search
