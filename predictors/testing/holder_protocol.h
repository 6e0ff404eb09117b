#pragma once

// Nodes that take something and release it again, each on its own, some times. That no two hold it
// is not true for long, and not false for long.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::predictors::testing {

struct Take {};
struct Release {};
// Nobody ever sends this, unless nodes shout.
struct Taken {};
struct Lost {};

struct HolderProtocol {
  struct State {
    uint32_t left = 0;  // How often this node may still take it.
    uint32_t turns = 0;
    bool holds = false;
    std::vector<uint32_t> log;
    FORETELL_FIELDS(left, turns, holds, log)
  };
  using Message = std::variant<Taken, Lost>;
  using Action = std::variant<Take, Release>;

  uint32_t nodes = 2;
  uint32_t idle = 0;       // The last nodes never do anything.
  uint32_t turns_max = 1;  // Of each node.
  bool counts = false;     // Turns are counted and logged, and so states differ.
  bool stable = true;      // What one-holder says of itself; it is wrong.
  bool keeps = false;      // There is no release: then it is right.
  bool shouts = false;     // A node that holds can say so to the next one, again and again.
  bool blind = false;      // One-holder sees no node.
  uint8_t crashes_max = 0;
  model::Scope scope = model::Scope::kPair;

  uint32_t node_count() const { return nodes; }
  model::Network network() const { return {}; }
  model::FaultBudget faults(model::NodeId) const { return {.crashes_max = crashes_max}; }
  State Initial(model::NodeId node) const {
    return {.left = node.value() + idle < nodes ? turns_max : 0};
  }
  State OnCrash(model::NodeId, const State& state) const { return state; }
  std::vector<Action> Actions(model::NodeId, const State& state) const {
    if (state.holds && shouts) return {Take{}, Release{}};
    if (state.holds) return keeps ? std::vector<Action>{} : std::vector<Action>{Release{}};
    return state.left > 0 ? std::vector<Action>{Take{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    if (std::holds_alternative<Release>(action)) {
      state.holds = false;
      return;
    }
    if (state.holds) {
      context.Send(model::NodeId((context.self().value() + 1) % nodes), Taken{});
      return;
    }
    state.holds = true;
    --state.left;
    if (!counts) return;
    ++state.turns;
    state.log.push_back(state.turns);
  }
  void OnMessage(State&, model::NodeId, const Message&, model::Context<Message>&) const {}

  std::vector<model::TypedInvariant<State>> Invariants() const {
    const model::InvariantInfo info{
        .name = "one-holder", .text = "No two nodes hold it.", .stable = stable};
    const auto holds = [blind = blind](model::NodeId, const State& state) {
      return blind ? std::nullopt : std::optional(state.holds);
    };
    if (scope == model::Scope::kSystem) {
      return {model::SystemInvariant<State, bool>(info, holds, [](const auto& keys) {
        uint32_t holders = 0;
        for (const auto& key : keys) holders += key.value_or(false) ? 1 : 0;
        return holders > 1;
      })};
    }
    if (scope == model::Scope::kNode) {
      return {model::NodeInvariant<State, bool>(info, holds, [](bool key) { return key; })};
    }
    return {model::PairInvariant<State, bool>(info, holds, [](bool a, bool b) { return a && b; })};
  }
};

inline model::System MakeHolders(HolderProtocol protocol = {}) {
  model::System system;
  const uint32_t nodes = protocol.nodes;
  system.service = model::MakeService(std::move(protocol));
  for (uint32_t n = 0; n < nodes; ++n) {
    system.start.nodes.push_back({.body = system.service->InitialState(model::NodeId(n))});
  }
  return system;
}

}  // namespace foretell::predictors::testing
