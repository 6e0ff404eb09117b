#include "foretell/integration/paxos/protocol.h"

#include <algorithm>
#include <optional>

namespace foretell::integration::paxos {
namespace {

using model::NodeId;

// An index that this node has heard of but not learned, else a new one (LMC section 4.2).
uint32_t IndexToPropose(const Log& log) {
  for (const Decree& decree : log.decrees) {
    if (decree.learner.chosen == 0) return decree.index;
  }
  return log.decrees.empty() ? 0 : log.decrees.back().index + 1;
}

// Every node has chosen at the same indexes, and at one at least.
bool AllDecided(const std::vector<std::optional<ChosenValues>>& keys) {
  for (const auto& key : keys) {
    if (!key || key->empty() || *key != *keys.front()) return false;
  }
  return true;
}

}  // namespace

Protocol::State Protocol::Initial(NodeId node) const {
  return {.proposals_left = proposals_max[node.index()]};
}

std::vector<Protocol::Action> Protocol::Actions(NodeId, const State& state) const {
  std::vector<Action> actions;
  for (const uint32_t index : state.imagined) actions.push_back({index});
  if (state.proposals_left > 0) {
    const uint32_t index = rules.single_decree ? 0 : IndexToPropose(state.log);
    if (!state.imagined.contains(index)) actions.push_back({index});
  }
  return actions;
}

void Protocol::OnAction(State& state, const Action& action,
                        model::Context<Message>& context) const {
  if (state.imagined.erase(action.index) == 0 && state.proposals_left > 0) --state.proposals_left;
  if (action.index < state.log.floor) return;
  const NodeId self = context.self();
  context.Broadcast(StartBallot(state.log.At(action.index), self, self.value() + 1, RulesHere()));
  if (window > 0) state.log.KeepNewest(window);
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         model::Context<Message>& context) const {
  const std::optional<Reply> reply = Handle(state.log, from, message, RulesHere());
  if (window > 0) state.log.KeepNewest(window);
  if (!reply) return;
  if (reply->to_all) {
    context.Broadcast(reply->message);
  } else {
    context.Send(from, reply->message);
  }
}

Protocol::State Protocol::OnCrash(NodeId, const State& state) const {
  return {state.proposals_left, state.imagined, SurvivorOf(state.log, RulesHere())};
}

std::vector<model::TypedInvariant<Protocol::State>> Protocol::Invariants() const {
  return {model::PairInvariant<State, ChosenValues>(
              {.name = "agreement",
               .text = "No two nodes choose different values for one index.",
               .stable = true},
              [](NodeId, const State& state) -> std::optional<ChosenValues> {
                ChosenValues chosen = ChosenIn(state.log);
                if (chosen.empty()) return std::nullopt;
                return chosen;
              },
              Disagree),
          model::SystemInvariant<State, ChosenValues>(
              {.name = "decides",
               .text = "Eventually all nodes have chosen, and at the same indexes.",
               .eventually = true},
              [](NodeId, const State& state) { return ChosenIn(state.log); },
              [](const auto& keys) { return !AllDecided(keys); })};
}

}  // namespace foretell::integration::paxos
