#pragma once

// A small service with something of everything: local choices, internal steps that race with
// messages, crashes.

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/invariant.h"
#include "foretell/model/typed/service.h"

namespace foretell::dir::testing {

// Every node tells its rumour to the next, once; who hears one passes on the larger.
struct GossipProtocol {
  struct State {
    bool told = false;
    bool noted = false;
    uint32_t best = 0;
    FORETELL_FIELDS(told, noted, best)
  };
  struct Rumour {
    uint32_t value = 0;
    uint32_t hops = 0;
    FORETELL_FIELDS(value, hops)
  };
  struct Tell {};
  struct Note {};
  using Message = Rumour;
  using Action = std::variant<Tell, Note>;

  uint32_t nodes = 3;
  uint8_t crashes_max = 0;  // Of node 0.

  uint32_t node_count() const { return nodes; }
  model::FaultBudget faults(model::NodeId node) const {
    return {.crashes_max = node.value() == 0 ? crashes_max : uint8_t{0}};
  }
  State Initial(model::NodeId) const { return {}; }
  std::vector<Action> Actions(model::NodeId, const State& state) const {
    std::vector<Action> actions;
    if (!state.told) actions.push_back(Tell{});
    if (!state.noted) actions.push_back(Note{});
    return actions;
  }
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    if (std::holds_alternative<Note>(action)) {
      state.noted = true;
      return;
    }
    state.told = true;
    Pass(context, 1 + context.Choose(2), 1);
  }
  void OnMessage(State& state, model::NodeId, const Message& rumour,
                 model::Context<Message>& context) const {
    if (rumour.value > state.best) state.best = rumour.value;
    if (rumour.hops + 1 < nodes) Pass(context, state.best, rumour.hops + 1);
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto best = [](model::NodeId, const State& state) -> std::optional<uint32_t> {
      if (state.best == 0) return std::nullopt;
      return state.best;
    };
    return {model::PairInvariant<State, uint32_t>(
        {.name = "unanimous", .text = "Nodes that heard something agree."}, best,
        [](uint32_t a, uint32_t b) { return a != b; })};
  }

 private:
  void Pass(model::Context<Message>& context, uint32_t value, uint32_t hops) const {
    context.Send(model::NodeId((context.self().value() + 1) % nodes), {value, hops});
  }
};

inline model::System MakeGossip(GossipProtocol protocol) {
  model::System system;
  system.service = model::MakeService(protocol);
  system.start = model::InitialCut(*system.service);
  return system;
}

}  // namespace foretell::dir::testing
