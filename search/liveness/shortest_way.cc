#include "foretell/search/liveness/shortest_way.h"

#include <algorithm>

#include "foretell/search/state_search.h"

namespace foretell::search {
namespace {

bool IsIn(const GlobalState& state, std::span<const model::StateId> system) {
  for (uint32_t n = 0; n < system.size(); ++n) {
    if (state.state(model::NodeId(n)) != system[n]) return false;
  }
  return true;
}

// The first state of `search` that is in `system`, from number `next` on.
std::optional<uint32_t> FindSystem(const StateSearch& search,
                                   std::span<const model::StateId> system, uint32_t& next) {
  GlobalState state = search.MakeState();
  for (; next < search.store().size(); ++next) {
    search.store().Load(next, state.fields());
    if (IsIn(state, system)) return next;
  }
  return std::nullopt;
}

}  // namespace

std::optional<model::Path> ShortestWay(model::TransitionTable& table,
                                       model::InvariantTable& invariants, Copies usual,
                                       const model::SystemCut& start,
                                       std::span<const model::StateId> system,
                                       model::Budget& budget) {
  constexpr uint32_t kStatesMax = 1 << 17;
  for (Copies copies{.max = 2 * usual.max};; copies.max *= 2) {
    GlobalSpace space(table, copies);
    const SearchOptions options;
    StateSearch search(space, invariants, options, nullptr);
    search.Begin(space.Start(start));
    uint32_t looked_at = 0;
    for (uint32_t target = 256; !search.finished(); target *= 2) {
      if (target > kStatesMax || budget.spent()) return std::nullopt;
      search.Grow(target, budget);
      if (const auto found = FindSystem(search, system, looked_at)) return search.PathTo(*found);
    }
    if (!space.TakeCapped()) return std::nullopt;
  }
}

}  // namespace foretell::search
