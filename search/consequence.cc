#include "foretell/search/consequence.h"

namespace foretell::search {

using model::NodeId;

size_t Consequence::Choose(const GlobalState& state, std::vector<Move>& moves) {
  left_out_ += std::erase_if(moves, [&](const Move& move) {
    const std::vector<bool>& acted = acted_[move.node.index()];
    const size_t own = state.state(move.node).index();
    return !move.event.is_deliver() && own < acted.size() && acted[own];
  });
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    const size_t own = state.state(NodeId(n)).index();
    if (acted_[n].size() <= own) acted_[n].resize(own + 1);
    acted_[n][own] = true;
  }
  return moves.size();
}

}  // namespace foretell::search
