#include "foretell/search/recovery/region.h"

#include <algorithm>

namespace foretell::search {

Region::End Region::Close(const GlobalState& start, uint32_t states_max, model::Budget& budget,
                          const std::function<bool(const GlobalState&)>& alive) {
  constexpr uint32_t kFirst = 16;
  search_.Begin(start);
  for (uint64_t target = kFirst;; target *= 2) {
    live_ = FirstLive(alive);
    if (live_) return End::kLive;
    if (search_.finished()) return End::kClosed;
    if (search_.state_count() >= states_max || budget.spent()) return End::kCutOff;
    search_.Grow(static_cast<uint32_t>(std::min<uint64_t>(target, states_max)), budget);
  }
}

std::optional<uint32_t> Region::FirstLive(const std::function<bool(const GlobalState&)>& alive) {
  const StateStore& store = search_.store();
  GlobalState state = search_.MakeState();
  for (; looked_at_ < store.size(); ++looked_at_) {
    store.Load(looked_at_, state.fields());
    if (moves_.Live(state) || (alive && alive(state))) return looked_at_;
  }
  return std::nullopt;
}

void Region::VisitWay(const std::function<void(const GlobalState&)>& visit) const {
  GlobalState state = search_.MakeState();
  for (uint32_t at = *live_; at != StateStore::kNone; at = search_.store().parent(at)) {
    search_.store().Load(at, state.fields());
    visit(state);
  }
}

void Region::VisitAll(const std::function<void(const GlobalState&)>& visit) const {
  GlobalState state = search_.MakeState();
  for (uint32_t at = 0; at < search_.store().size(); ++at) {
    search_.store().Load(at, state.fields());
    visit(state);
  }
}

}  // namespace foretell::search
