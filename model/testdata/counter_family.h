#pragma once

// The smallest family there is, for plug-ins that tests load: one node that counts to two.

#include <string>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::model {

struct CounterProtocol {
  struct State {
    uint32_t count = 0;
    template <class V>
    void Fields(V& v) {
      v("count", count);
    }
  };
  struct Tick {
    static constexpr const char* kName = "Tick";
    template <class V>
    void Fields(V&) {}
  };
  using Message = Tick;
  using Action = Tick;

  uint32_t node_count() const { return 1; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    return state.count < 2 ? std::vector<Action>{Tick{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, Context<Message>&) const { ++state.count; }
  void OnMessage(State&, NodeId, const Message&, Context<Message>&) const {}
  std::vector<TypedInvariant<State>> Invariants() const {
    return {NodeInvariant<State, uint32_t>(
        {.name = "below-two", .text = "The count stays below two.", .stable = true},
        [](NodeId, const State& s) { return std::optional(s.count); },
        [](uint32_t count) { return count >= 2; })};
  }
};

class CounterFamily : public ServiceFamily {
 public:
  std::string name() const override { return "counter"; }
  std::string text() const override { return "One node that counts to two."; }
  std::vector<Named> scenarios() const override { return {{"default", "From zero."}}; }
  absl::StatusOr<System> Make(const std::string&, const std::string&) const override {
    System system{MakeService(CounterProtocol{}), {}};
    system.start = InitialCut(*system.service);
    return system;
  }
};

}  // namespace foretell::model
