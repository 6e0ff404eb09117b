#pragma once

#include <cstdint>
#include <vector>

#include "foretell/search/global_space.h"
#include "foretell/search/state_search.h"

namespace foretell::search {

// Consequence prediction as a restriction of the search: deliveries are always followed, events
// that need no message only in the first global state in which their node is in a given state.
// Moves left out are gone for good: the cycle proviso, which is there for reductions that must not
// lose anything, does not bring them back.
class Consequence final : public Reduction {
 public:
  explicit Consequence(uint32_t node_count) : acted_(node_count) {}

  size_t Choose(const GlobalState& state, std::vector<Move>& moves) override {
    left_out_ += std::erase_if(moves, [&](const Move& move) {
      const std::vector<bool>& acted = acted_[move.node.index()];
      const size_t own = state.state(move.node).index();
      return !move.event.is_deliver() && own < acted.size() && acted[own];
    });
    for (uint32_t n = 0; n < state.node_count(); ++n) {
      const size_t own = state.state(model::NodeId(n)).index();
      if (acted_[n].size() <= own) acted_[n].resize(own + 1);
      acted_[n][own] = true;
    }
    return moves.size();
  }

  // Events not followed so far. None: the search was not restricted at all.
  uint64_t left_out() const { return left_out_; }

 private:
  std::vector<std::vector<bool>> acted_;  // By node and state: its own events were followed.
  uint64_t left_out_ = 0;
};

}  // namespace foretell::search
