#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "foretell/model/liveness/recovery.h"
#include "foretell/search/recovery/recovery_moves.h"

namespace foretell::search {

// Random walks over what recovery counts on, with faults off: MaceMC's walks in GUSTO mode. The
// same seed takes the same walks. Walks prove that a state is alive, and never anything else.
class Walker {
 public:
  // All outlive this.
  Walker(GlobalSpace& space, RecoveryMoves& moves, const model::Weights& weights, uint64_t seed)
      : space_(space), moves_(moves), weights_(weights), state_(seed) {}

  // True iff a walk of at most `steps_max` steps from `start` got to where `stop` holds. `visited`
  // has the states of the walk, the last one included.
  bool Walk(const GlobalState& start, uint32_t steps_max, model::Budget& budget,
            const std::function<bool(const GlobalState&)>& stop);
  const std::vector<GlobalState>& visited() const { return visited_; }
  uint64_t steps() const { return steps_; }  // Of all walks.

  // Any of 0 .. count-1. REQUIRES: count > 0.
  uint64_t Below(uint64_t count);

 private:
  struct Option {
    model::NodeId node;
    model::EventId event;
    uint64_t until;  // The sum of the weights up to here.
  };
  uint32_t WeightOf(model::EventId event);
  bool Step(GlobalState& state);

  GlobalSpace& space_;
  RecoveryMoves& moves_;
  const model::Weights weights_;
  uint64_t state_;
  uint64_t steps_ = 0;
  std::vector<GlobalState> visited_;
  std::vector<model::EventId> events_;
  std::vector<Option> options_;
  std::vector<uint32_t> of_action_;   // Weight + 1; 0 is unknown.
  std::vector<uint32_t> of_message_;  // Likewise.
};

}  // namespace foretell::search
