#include "foretell/integration/randtree/protocol.h"

#include <chrono>

namespace foretell::integration::randtree {
namespace {

using model::ActionTiming;

constexpr std::chrono::milliseconds kJoinDelay{300};
constexpr std::chrono::milliseconds kRecoveryDelay{500};

}  // namespace

State Protocol::Initial(NodeId node) const {
  State state;
  state.peers = peers[node.index()];
  state.resets = resets.contains(node) ? 1 : 0;
  return state;
}

std::vector<Protocol::Action> Protocol::Actions(NodeId, const State& state) const {
  std::vector<Action> actions;
  if (state.phase == Phase::kOutside) actions.push_back(JoinOverlay{});
  if (state.join_timer && !(patient && state.asking)) actions.push_back(JoinTimeout{});
  const bool has_others = state.parent.has_value() || !Strangers(state).empty();
  if (state.recovery_timer && has_others && !(patient && !state.probing.empty())) {
    actions.push_back(Recover{});
  }
  if (state.resets > 0 && state.phase != Phase::kOutside) actions.push_back(Reset{});
  return actions;
}

ActionTiming Protocol::Timing(const Action& action) const {
  using Origin = ActionTiming::Origin;
  if (std::holds_alternative<JoinTimeout>(action)) {
    return {.origin = Origin::kTimer, .delay = kJoinDelay};
  }
  if (std::holds_alternative<Recover>(action)) {
    return {.origin = Origin::kTimer, .delay = kRecoveryDelay};
  }
  return {.origin = Origin::kCall, .adverse = std::holds_alternative<Reset>(action)};
}

void Protocol::OnAction(State& state, const Action& action, Context& context) const {
  std::visit([&](const auto& alternative) { Run(state, alternative, context); }, action);
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         Context& context) const {
  if (state.resets > 0) state.open.insert(from);
  std::visit([&](const auto& alternative) { Handle(state, from, alternative, context); }, message);
}

State Protocol::OnCrash(NodeId node, const State& state) const {
  State survivor = Initial(node);
  survivor.resets = state.resets;
  return survivor;
}

// Connections are gone, and everybody at their other ends gets to know.
void Protocol::OnRestart(State&, Context& context) const {
  for (uint32_t n = 0; n < node_count(); ++n) {
    if (NodeId(n) != context.self()) context.Send(NodeId(n), Gone{});
  }
}

// A JoinReply may be lost, or the peer may have lost all it knew: both begin anew.
void Protocol::OnBreak(State& state, NodeId peer, Context& context) const {
  state.asking = false;
  state.probing.erase(peer);
  Send(state, peer, Remove{}, context);
  Handle(state, peer, Gone{}, context);
}

void Protocol::Send(State& state, NodeId to, const Message& message, Context& context) const {
  if (state.resets > 0) state.open.insert(to);
  context.Send(to, message);
}

NodeId Protocol::AnyOf(const std::vector<NodeId>& nodes, Context& context) {
  if (nodes.size() == 1) return nodes[0];
  return nodes[context.Choose(static_cast<uint32_t>(nodes.size()))];
}

bool Protocol::Exists(const std::optional<NodeId>& node) const {
  return !node || node->value() < node_count();
}

bool Protocol::Valid(const State& state) const {
  for (const auto* nodes : {&state.children, &state.peers, &state.probing, &state.open}) {
    for (const NodeId node : *nodes) {
      if (!Exists(node)) return false;
    }
  }
  if (!Exists(state.root) || !Exists(state.parent)) return false;
  const bool active = state.join_timer || state.recovery_timer || state.parent.has_value();
  return state.phase == Phase::kOutside ? !active : state.root.has_value();
}

bool Protocol::Valid(const Message& message) const {
  if (const auto* join = std::get_if<Join>(&message)) {
    return Exists(join->source) && Exists(join->down);
  }
  if (const auto* reply = std::get_if<JoinReply>(&message)) return Exists(reply->root);
  if (const auto* probe = std::get_if<Probe>(&message)) return Exists(probe->root);
  if (const auto* join = std::get_if<ProbeJoin>(&message)) return Exists(join->root);
  if (const auto* root = std::get_if<NewRoot>(&message)) return Exists(root->root);
  return true;
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const { return TreeInvariants(); }

}  // namespace foretell::integration::randtree
