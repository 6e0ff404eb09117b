#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::search {

// Node 0 pings node 1 again and again, until it closes and says so. Node 1 is offended for ever
// once `patience` pings have arrived after that: it takes as many equal datagrams in flight at
// once. Else it would be content to hear that node 0 has closed.
struct HoardProtocol {
  struct State {
    bool closed = false;
    uint8_t late = 0;
    FORETELL_FIELDS(closed, late)
  };
  struct Ping {};
  struct Closed {};
  struct Poke {};
  struct Close {};
  using Message = std::variant<Ping, Closed>;
  using Action = std::variant<Poke, Close>;

  uint8_t patience = 3;

  uint32_t node_count() const { return 2; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const {
    if (node == model::NodeId(1)) return {};
    return state.closed ? std::vector<Action>{Close{}} : std::vector<Action>{Poke{}, Close{}};
  }
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    if (std::holds_alternative<Poke>(action)) return context.Send(model::NodeId(1), Ping{});
    state.closed = true;
    context.Send(model::NodeId(1), Closed{});
  }
  void OnMessage(State& state, model::NodeId, const Message& message,
                 model::Context<Message>&) const {
    if (std::holds_alternative<Closed>(message)) {
      state.closed = true;
    } else if (state.closed && state.late < patience) {
      ++state.late;
    }
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const uint8_t most = patience;
    return {model::Eventually("content", "Node 1 hears that node 0 has closed, and little else.",
                              [most](model::NodeId node, const State& state) {
                                return node == model::NodeId(0) ||
                                       (state.closed && state.late < most);
                              })};
  }
};

}  // namespace foretell::search
