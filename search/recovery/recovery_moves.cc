#include "foretell/search/recovery/recovery_moves.h"

namespace foretell::search {

bool RecoveryMoves::Live(const GlobalState& state) {
  signatures_.resize(state.node_count());
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    signatures_[n] = invariants_.Signature(model::NodeId(n), state.state(model::NodeId(n)));
  }
  return invariants_.Violated(signatures_) == 0;
}

bool RecoveryMoves::Live(std::span<const model::StateId> system) {
  signatures_.resize(system.size());
  for (uint32_t n = 0; n < system.size(); ++n) {
    signatures_[n] = invariants_.Signature(model::NodeId(n), system[n]);
  }
  return invariants_.Violated(signatures_) == 0;
}

}  // namespace foretell::search
