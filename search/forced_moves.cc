#include "foretell/search/forced_moves.h"

#include <utility>

#include "foretell/model/check.h"
#include "foretell/search/state_search.h"

namespace foretell::search {

std::optional<ForcedMoves::Forced> ForcedMoves::In(const GlobalState& state) {
  moves_.clear();
  space_.AllEnabled(state, moves_);
  if (moves_.empty() || reduction_.Choose(state, moves_) != 1) return std::nullopt;
  const Move move = moves_[0];
  const auto steps = space_.Successors(move.node, state.state(move.node), move.event);
  if (steps.size() != 1) return std::nullopt;
  space_.Apply(state, move.node, move.event, steps[0], next_);
  if (next_ == state) return std::nullopt;
  return Forced{move, steps[0]};
}

void ForcedMoves::AppendWay(const GlobalState& from, const GlobalState& to,
                            std::vector<GlobalState>& way) {
  std::vector<Move> enabled;
  space_.AllEnabled(from, enabled);
  GlobalState first(from.node_count());
  for (const Move& move : enabled) {
    for (const model::Step& step :
         space_.Successors(move.node, from.state(move.node), move.event)) {
      space_.Apply(from, move.node, move.event, step, first);
      way.push_back(first);
      if (Leads(first, to, way)) return;
      way.pop_back();
    }
  }
  FORETELL_CHECK(false);
}

// Whether forced moves lead from `at` to `to`; if so they are appended.
bool ForcedMoves::Leads(GlobalState at, const GlobalState& to, std::vector<GlobalState>& way) {
  const size_t before = way.size();
  for (uint32_t i = 0; at != to; ++i) {
    std::optional<Forced> forced;
    if (i < kInARowMax) forced = In(at);
    if (!forced) {
      way.erase(way.begin() + static_cast<std::ptrdiff_t>(before), way.end());
      return false;
    }
    std::swap(at, next_);
    way.push_back(at);
  }
  return true;
}

}  // namespace foretell::search
