#include "foretell/integration/philosophers/protocol.h"

namespace foretell::integration::philosophers {

using model::NodeId;

NodeId Protocol::LeftOf(NodeId philosopher) const { return NodeId(philosopher.value() + 1); }

NodeId Protocol::RightOf(NodeId philosopher) const {
  return NodeId((philosopher.value() + 3) % node_count());
}

std::vector<Protocol::Action> Protocol::Actions(NodeId node, const State& state) const {
  const bool is_fork = node.value() % 2 == 1;
  if (is_fork && !state.waiting.empty() && (greedy || !state.holder)) {
    return {Grant{state.waiting.front()}};
  }
  if (is_fork) return {};
  if (state.phase == Phase::kThinks) return {Hungry{}};
  if (state.phase == Phase::kEats) return {Done{}};
  return {};
}

void Protocol::OnAction(State& state, const Action& action,
                        model::Context<Message>& context) const {
  if (std::holds_alternative<Hungry>(action)) {
    state.phase = Phase::kWantsLeft;
    context.Send(LeftOf(context.self()), Take{});
    return;
  }
  if (std::holds_alternative<Grant>(action)) {
    state.holder = std::get<Grant>(action).to;
    state.waiting.erase(state.waiting.begin());
    context.Send(*state.holder, Granted{});
    return;
  }
  state.phase = Phase::kDone;
  context.Send(LeftOf(context.self()), Return{});
  context.Send(RightOf(context.self()), Return{});
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         model::Context<Message>& context) const {
  if (std::holds_alternative<Granted>(message)) {
    OnGranted(state, from, context);
  } else if (std::holds_alternative<Take>(message)) {
    state.waiting.push_back(from);
  } else {
    OnReturn(state, from, context);
  }
}

void Protocol::OnGranted(State& state, NodeId fork, model::Context<Message>& context) const {
  const NodeId left = LeftOf(context.self());
  const NodeId right = RightOf(context.self());
  if (state.phase == Phase::kWantsLeft && fork == left) {
    state.phase = Phase::kWantsRight;
    context.Send(right, Take{});
  } else if (state.phase == Phase::kWantsRight && fork == right) {
    state.phase = Phase::kEats;
  } else {
    context.Require(false, "is granted a fork that it does not want");
  }
}

void Protocol::OnReturn(State& state, NodeId philosopher, model::Context<Message>& context) const {
  // A greedy fork has forgotten all holders but the last.
  context.Require(greedy || state.holder == philosopher, "is returned by one who does not hold it");
  if (state.holder == philosopher) state.holder.reset();
}

std::vector<model::TypedInvariant<Protocol::State>> Protocol::Invariants() const {
  const auto eater = [](NodeId node, const State& state) -> std::optional<uint32_t> {
    if (state.phase != Phase::kEats) return std::nullopt;
    return node.value() / 2;
  };
  return {model::PairInvariant<State, uint32_t>(
      {.name = "one-fork-one-eater", .text = "Neighbours never eat at the same time."}, eater,
      [count = philosophers](uint32_t left, uint32_t right) {
        return (left + 1) % count == right || (right + 1) % count == left;
      })};
}

}  // namespace foretell::integration::philosophers
