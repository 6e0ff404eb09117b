#pragma once

// A protocol in which messages pile up: what `global` never finishes, and `cover` does.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "foretell/model/typed/service.h"

namespace foretell::search::testing {

struct Word {};

// Node 0 says a word whenever it likes, and nobody sees from its state how often. Those in between
// pass on every `every`-th word that they hear; the last one counts up to `enough`, which is wrong.
struct Relay {
  struct State {
    uint32_t heard = 0;
    uint32_t left = 0;  // Node 0, unless it goes on for ever: words to say.
    FORETELL_FIELDS(heard, left)
  };
  using Message = Word;
  using Action = Word;
  uint32_t nodes = 2;
  uint32_t every = 1;
  uint32_t enough = 2;
  uint32_t words = 0;  // 0: for ever.
  model::Network net;
  uint8_t crashes_max = 0;

  uint32_t node_count() const { return nodes; }
  model::Network network() const { return net; }
  model::FaultBudget faults(model::NodeId) const { return {.crashes_max = crashes_max}; }
  State Initial(model::NodeId node) const { return {.left = node.value() == 0 ? words : 0}; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const {
    const bool speaks = node.value() == 0 && (words == 0 || state.left > 0);
    return speaks ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    if (words > 0) --state.left;
    context.Send(model::NodeId(1), {});
  }
  void OnMessage(State& state, model::NodeId, const Message&,
                 model::Context<Message>& context) const {
    const uint32_t self = context.self().value();
    if (self + 1 == nodes) {
      state.heard = std::min(state.heard + 1, enough);
      return;
    }
    state.heard = (state.heard + 1) % every;
    if (state.heard == 0) context.Send(model::NodeId(self + 1), {});
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::NodeInvariant<State, uint32_t>(
        {.name = "few", .text = "The last node hears less than that."},
        [last = nodes - 1](model::NodeId node, const State& state) {
          return node.value() == last ? std::optional(state.heard) : std::nullopt;
        },
        [enough = enough](uint32_t heard) { return heard == enough; })};
  }
};

}  // namespace foretell::search::testing
