#pragma once

// The smallest family there is, for plug-ins that tests load: one node that counts to two.

#include <vector>

#include "foretell/model/typed/family.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::model {

struct Counter {
  struct State {
    uint32_t count = 0;
    FORETELL_FIELDS(count)
  };
  struct Tick {};
  using Message = None;
  using Action = Tick;
  static constexpr uint32_t kNodes = 1;

  std::vector<Tick> Actions(NodeId, const State& s) const { return std::vector<Tick>(s.count < 2); }
  void OnAction(State& s, const Tick&, Context<None>&) const { ++s.count; }
  std::vector<TypedInvariant<State>> Invariants() const {
    return {Stable(Always("below-two", "The count stays below two.",
                          [](const State& s) { return s.count < 2; }))};
  }
};

inline Family<Counter> CounterFamily() {
  return Family<Counter>({.name = "counter", .text = "One node that counts to two."});
}

}  // namespace foretell::model
