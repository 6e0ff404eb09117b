#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::search {

// Node 0 goes to and fro between 0 and 1 by a timer, and should come to 2. The ways there are up to
// the members.
struct RestlessProtocol {
  struct State {
    uint8_t at = 0;
    bool told = false;
    FORETELL_FIELDS(at, told)
  };
  struct Hint {};
  struct Noise {};
  struct Tick {};
  struct Jump {};
  struct Toss {};
  struct Tell {};
  using Message = std::variant<Hint, Noise>;
  using Action = std::variant<Tick, Jump, Toss, Tell>;

  bool jumps = false;   // By a timer, from 1.
  bool steady = false;  // Also from 0, so that it stays possible.
  bool tosses = false;  // From 0, by a choice.
  bool told = false;    // Node 1 tells it once, by a call.
  bool noisy = false;   // With each tick something is sent that nobody needs.
  model::NetworkKind network_kind = model::NetworkKind::kDatagrams;

  uint32_t node_count() const { return 2; }
  model::Network network() const { return {.kind = network_kind}; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const {
    if (node == model::NodeId(1)) {
      return told && !state.told ? std::vector<Action>{Tell{}} : std::vector<Action>{};
    }
    if (state.at == 2) return {};
    std::vector<Action> actions = {Tick{}};
    if (jumps && (steady || state.at == 1)) actions.push_back(Jump{});
    if (tosses && state.at == 0) actions.push_back(Toss{});
    return actions;
  }
  model::ActionTiming Timing(const Action& action) const {
    using Origin = model::ActionTiming::Origin;
    return {.origin = std::holds_alternative<Tell>(action) ? Origin::kCall : Origin::kTimer};
  }
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    if (std::holds_alternative<Tick>(action)) {
      state.at = state.at == 0 ? 1 : 0;
      if (noisy) context.Send(model::NodeId(1), Noise{});
    } else if (std::holds_alternative<Tell>(action)) {
      state.told = true;
      context.Send(model::NodeId(0), Hint{});
    } else if (std::holds_alternative<Jump>(action) || context.Choose(2) == 1) {
      state.at = 2;
    }
  }
  void OnMessage(State& state, model::NodeId, const Message& message,
                 model::Context<Message>&) const {
    if (std::holds_alternative<Hint>(message)) state.at = 2;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::Eventually("arrived", "Node 0 comes to 2.",
                              [](model::NodeId node, const State& state) {
                                return node == model::NodeId(1) || state.at == 2;
                              })};
  }
};

}  // namespace foretell::search
