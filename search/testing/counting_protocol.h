#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::search {

// Node 0 should count to a number that nobody lives to see; a restart makes it begin. Node 1 only
// watches.
struct CountingProtocol {
  struct State {
    bool counting = false;
    uint64_t count = 0;
    FORETELL_FIELDS(counting, count)
  };
  struct Word {};
  struct Tick {};
  using Message = std::variant<Word>;
  using Action = std::variant<Tick>;

  bool counting = false;  // From the start.

  uint32_t node_count() const { return 2; }
  State Initial(model::NodeId node) const {
    return {.counting = counting && node == model::NodeId(0)};
  }
  std::vector<Action> Actions(model::NodeId, const State& state) const {
    return state.counting ? std::vector<Action>{Tick{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>&) const { ++state.count; }
  void OnMessage(State&, model::NodeId, const Message&, model::Context<Message>&) const {}
  void OnRestart(State& state, model::Context<Message>& context) const {
    state.counting = context.self() == model::NodeId(0);
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::Eventually("counted", "Node 0 has counted to the end.",
                              [](model::NodeId node, const State& state) {
                                return node == model::NodeId(1) || state.count == UINT64_MAX;
                              })};
  }
};

}  // namespace foretell::search
