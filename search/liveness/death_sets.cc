#include "foretell/search/liveness/death_sets.h"

namespace foretell::search {

bool DeathSets::Prepare(const model::SystemCut& start, model::Budget& budget) {
  constexpr uint32_t kSharePercent = 40;
  model::Budget share = budget.Share(kSharePercent);
  graphs_.emplace(space_.table(), start);
  if (graphs_->Grow(UINT32_MAX, share, nullptr)) {
    sets_ = PersistentSets::Make(space_, invariants_, *graphs_, /*wanted=*/0, share, &moves_);
  }
  budget.Charge(share);
  return reduces();
}

}  // namespace foretell::search
