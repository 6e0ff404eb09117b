#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "foretell/search/recovery/recovery_moves.h"
#include "foretell/search/state_search.h"

namespace foretell::search {

// All that recovery can do from one state, visited breadth first until the predicate holds. For one
// call of Close.
class Region {
 public:
  // All outlive this.
  Region(GlobalSpace& space, model::InvariantTable& invariants, RecoveryMoves& moves)
      : moves_(moves), search_(space, invariants, options_, nullptr, &moves) {}

  enum class End : uint8_t {
    kLive,    // A state was found in which the predicate holds, or that is known to be alive.
    kClosed,  // There is none.
    kCutOff,  // None so far.
  };
  // Visits little more than `states_max` states. `alive` may be empty.
  End Close(const GlobalState& start, uint32_t states_max, model::Budget& budget,
            const std::function<bool(const GlobalState&)>& alive = nullptr);

  // REQUIRES: ended with kLive.
  model::Path PathToLive() { return search_.PathTo(*live_); }
  // Calls `visit` with each state on the way there. REQUIRES: ended with kLive.
  void VisitWay(const std::function<void(const GlobalState&)>& visit) const;
  // Calls `visit` with each state.
  void VisitAll(const std::function<void(const GlobalState&)>& visit) const;
  uint32_t state_count() const { return search_.state_count(); }
  uint64_t transitions() const { return search_.result().transitions; }

 private:
  std::optional<uint32_t> FirstLive(const std::function<bool(const GlobalState&)>& alive);

  const SearchOptions options_;
  RecoveryMoves& moves_;
  StateSearch search_;
  uint32_t looked_at_ = 0;
  std::optional<uint32_t> live_;
};

}  // namespace foretell::search
