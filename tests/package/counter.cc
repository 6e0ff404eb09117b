#include "foretell/service.h"

struct Counter {
  struct State {
    uint32_t count = 0;
    FORETELL_FIELDS(count)
  };
  struct Tick {};
  using Message = foretell::None;
  using Action = Tick;
  static constexpr uint32_t kNodes = 1;

  std::vector<Tick> Actions(foretell::NodeId, const State& state) const {
    return std::vector<Tick>(state.count < 2);
  }
  void OnAction(State& state, const Tick&, foretell::Context<Message>&) const { ++state.count; }
  foretell::Invariants<State> Invariants() const {
    return {foretell::Always("below-two", "The count stays below two.",
                             [](const State& state) { return state.count < 2; })};
  }
};

FORETELL_SERVICE(Counter, "counter", "One node that counts to two.")
