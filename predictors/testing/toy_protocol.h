#pragma once

// Node 0 sends tokens to node 1, one when it is asked to and one when its timer fires. Node 1 wants
// one, and must not get two.

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "foretell/model/budget.h"
#include "foretell/model/check.h"
#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::predictors::testing {

enum class Cause : uint8_t { kAsked, kTimer };

struct Token {
  Cause cause = Cause::kAsked;
  FORETELL_FIELDS(cause)
};

struct ToyProtocol {
  struct State {
    std::vector<Cause> left;  // What this node may still do.
    uint32_t got = 0;
    FORETELL_FIELDS(left, got)
  };
  using Message = Token;
  struct Action {
    static constexpr const char* kName = "Give";
    Cause cause = Cause::kAsked;
    FORETELL_FIELDS(cause)
  };

  bool streams = false;
  uint8_t breaks_max = 0;
  uint32_t got_max = 1;   // Before "few" is broken.
  bool asserts = false;   // Two tokens also break a local assertion.
  bool must_act = false;  // What node 0 does of itself cannot be vetoed.

  uint32_t node_count() const { return 2; }
  model::Network network() const {
    return {streams ? model::NetworkKind::kStreams : model::NetworkKind::kDatagrams};
  }
  model::FaultBudget faults(model::NodeId node) const {
    return {.breaks_max = node.value() == 1 ? breaks_max : uint8_t{0}};
  }
  State Initial(model::NodeId node) const {
    if (node.value() == 1) return {};
    return {.left = {Cause::kAsked, Cause::kTimer}};
  }
  std::vector<Action> Actions(model::NodeId, const State& state) const {
    std::vector<Action> actions;
    for (const Cause cause : state.left) actions.push_back({cause});
    return actions;
  }
  model::ActionTiming Timing(const Action& action) const {
    model::ActionTiming timing{.vetoable = !must_act};
    if (action.cause == Cause::kAsked) return timing;
    timing.origin = model::ActionTiming::Origin::kTimer;
    timing.delay = std::chrono::milliseconds(10);
    return timing;
  }
  void OnAction(State& state, const Action& action, model::Context<Token>& context) const {
    std::erase(state.left, action.cause);
    context.Send(model::NodeId(1), {action.cause});
  }
  void OnMessage(State& state, model::NodeId, const Token&, model::Context<Token>& context) const {
    ++state.got;
    context.Require(!asserts || state.got < 2, "got two");
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto got = [](model::NodeId, const State& state) { return std::optional(state.got); };
    return {model::NodeInvariant<State, uint32_t>(
                {.name = "few", .text = "Nobody gets too many tokens.", .stable = true}, got,
                [most = got_max](uint32_t count) { return count > most; }),
            model::SystemInvariant<State, uint32_t>(
                {.name = "served", .text = "Node 1 gets a token.", .eventually = true}, got,
                [](const auto& counts) { return counts[1].value_or(0) == 0; })};
  }
};

inline model::System MakeToy(ToyProtocol protocol = {}) {
  model::System system;
  system.service = model::MakeService(std::move(protocol));
  for (uint32_t n = 0; n < 2; ++n) {
    system.start.nodes.push_back({.body = system.service->InitialState(model::NodeId(n))});
  }
  return system;
}

// No clock, so that nothing depends on it.
inline model::Budget Steps(uint64_t steps_max) {
  return model::Budget({.steps_max = steps_max}, [] { return model::Budget::Time{}; });
}

}  // namespace foretell::predictors::testing
