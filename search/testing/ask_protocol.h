#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::search {

using model::Context;
using model::NodeId;

// Node 0 is called and asks node 1, which answers. What can go wrong is up to the members.
struct AskProtocol {
  struct State {
    bool asked = false;
    bool answered = false;
    bool deaf = false;
    FORETELL_FIELDS(asked, answered, deaf)
  };
  struct Question {};
  struct Answer {};
  struct Call {};
  struct Retry {};
  struct GoDeaf {};
  struct Recover {};
  using Message = std::variant<Question, Answer>;
  using Action = std::variant<Call, Retry, GoDeaf, Recover>;

  bool retries = false;
  bool goes_deaf = false;  // Node 1, without being a fault; and recovers, on which none may count.
  bool shrugs = false;     // Node 1 may stay silent by a choice of weight 0.
  bool fails = false;      // Node 1 breaks an assertion instead of answering.
  uint8_t crashes_max = 0;

  uint32_t node_count() const { return 2; }
  model::FaultBudget faults(NodeId node) const {
    return {.crashes_max = node == NodeId(0) ? crashes_max : uint8_t{0}};
  }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    std::vector<Action> actions;
    if (node == NodeId(0)) {
      if (!state.asked) actions.push_back(Call{});
      if (retries && state.asked && !state.answered) actions.push_back(Retry{});
    } else if (goes_deaf) {
      actions.push_back(state.deaf ? Action(Recover{}) : Action(GoDeaf{}));
    }
    return actions;
  }
  model::ActionTiming Timing(const Action& action) const {
    using Origin = model::ActionTiming::Origin;
    if (std::holds_alternative<Call>(action)) return {.origin = Origin::kCall};
    return {.origin = Origin::kTimer, .adverse = !std::holds_alternative<Retry>(action)};
  }
  void OnAction(State& state, const Action& action, Context<Message>& context) const {
    if (std::holds_alternative<GoDeaf>(action)) {
      state.deaf = true;
    } else if (std::holds_alternative<Recover>(action)) {
      state.deaf = false;
    } else {
      state.asked = true;
      context.Send(NodeId(1), Question{});
    }
  }
  void OnMessage(State& state, NodeId from, const Message& message,
                 Context<Message>& context) const {
    context.Require(!fails, "failed");
    if (std::holds_alternative<Answer>(message)) state.answered = true;
    if (!std::holds_alternative<Question>(message) || state.deaf) return;
    constexpr std::array<uint32_t, 2> kWeights = {1, 0};
    if (!shrugs || context.Choose(kWeights) == 0) context.Send(from, Answer{});
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::Eventually(
        "answered", "Node 0 gets an answer.",
        [](NodeId node, const State& state) { return node == NodeId(1) || state.answered; })};
  }
};

}  // namespace foretell::search
