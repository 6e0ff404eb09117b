#include "foretell/search/forced_moves.h"

#include <utility>

#include "foretell/model/check.h"
#include "foretell/search/state_search.h"

namespace foretell::search {

std::optional<ForcedMoves::Forced> ForcedMoves::In(const GlobalState& state) {
  moves_.clear();
  local_.Look(state);
  local_.AllEnabled(moves_);
  if (moves_.empty() || reduction_.Choose(state, moves_) != 1) return std::nullopt;
  const Move move = moves_[0];
  const auto outcomes = local_.Outcomes(move);
  if (outcomes.size() != 1) return std::nullopt;
  const model::Step step = outcomes[0].step;
  local_.Apply(state, move, LocalMoves::Outcome(outcomes[0]), next_);
  if (next_ == state) return std::nullopt;
  return Forced{move, step};
}

void ForcedMoves::AppendWay(const GlobalState& from, const GlobalState& to,
                            std::vector<GlobalState>& way) {
  std::vector<Move> enabled;
  local_.Look(from);
  local_.AllEnabled(enabled);
  GlobalState first(from.node_count());
  for (const Move& move : enabled) {
    const auto found = local_.Outcomes(move);
    for (const LocalMoves::Outcome& outcome :
         std::vector<LocalMoves::Outcome>(found.begin(), found.end())) {
      local_.Apply(from, move, outcome, first);
      way.push_back(first);
      if (Leads(first, to, way)) return;
      way.pop_back();
      local_.Look(from);
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
