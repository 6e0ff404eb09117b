#include "foretell/service.h"

struct Counter {
  struct State {
    uint32_t count = 0;
    FORETELL_FIELDS(count)
  };
  struct Tick {};
  using Action = Tick;

  bool Can(foretell::NodeId, const State& state, Tick) const { return state.count < 2; }
  void OnAction(State& state, Tick, foretell::Context<>&) const { ++state.count; }
  foretell::Invariants<State> Invariants() const {
    return {foretell::Always("below-two", [](const State& state) { return state.count < 2; })};
  }
};

FORETELL_SERVICE(Counter)
