// How trees find each other, and what becomes of a node whose parent is lost.

#include <algorithm>

#include "foretell/integration/randtree/protocol.h"

namespace foretell::integration::randtree {

// Peers that may be in another tree.
std::vector<NodeId> Protocol::Strangers(const State& state) const {
  std::vector<NodeId> strangers;
  for (const NodeId peer : state.peers) {
    const bool kin = state.children.contains(peer) || state.parent == peer || state.root == peer;
    if (!kin) strangers.push_back(peer);
  }
  return strangers;
}

void Protocol::Run(State& state, const Recover&, Context& context) const {
  const std::vector<NodeId> strangers = Strangers(state);
  if (!strangers.empty()) {
    const NodeId stranger = AnyOf(strangers, context);
    state.probing.insert(stranger);
    Send(state, stranger, Probe{*state.root}, context);
  }
  if (state.parent) {
    state.probing.insert(*state.parent);
    Send(state, *state.parent, Ping{}, context);
  }
}

void Protocol::Run(State& state, const Reset&, Context& context) const {
  for (const NodeId peer : state.open) context.Send(peer, Gone{});
  const uint32_t left = state.resets - std::min(state.resets, 1u);
  state = Initial(context.self());
  state.resets = left;
}

// The tree with the larger root joins the one with the smaller root.
void Protocol::Handle(State& state, NodeId from, const Probe& message, Context& context) const {
  if (state.phase != Phase::kJoined || *state.root == message.root) {
    return Send(state, from, Pong{}, context);
  }
  const NodeId smaller = std::min(*state.root, message.root);
  const NodeId larger = std::max(*state.root, message.root);
  // To whom asked, a ProbeJoin is an answer as well.
  if (larger != from) Send(state, from, Pong{}, context);
  if (larger == context.self()) {
    JoinSmaller(state, smaller, context);
  } else {
    Send(state, larger, ProbeJoin{smaller}, context);
  }
}

void Protocol::Handle(State& state, NodeId from, const ProbeJoin& message, Context& context) const {
  state.probing.erase(from);
  JoinSmaller(state, message.root, context);
}

void Protocol::JoinSmaller(State& state, NodeId root, Context& context) const {
  const bool is_root = state.phase == Phase::kJoined && state.root == context.self();
  if (is_root && root < context.self()) StartJoin(state, root, context);
}

void Protocol::Handle(State& state, NodeId from, const NewRoot& message, Context& context) const {
  if (state.parent == from) SetRoot(state, message.root, context);
}

void Protocol::Handle(State& state, NodeId from, const Ping&, Context& context) const {
  if (state.children.contains(from) || bug == Bug::kNoRejoin) {
    Send(state, from, Pong{}, context);
  } else {
    Send(state, from, Rejoin{}, context);
  }
}

void Protocol::Handle(State& state, NodeId from, const Pong&, Context&) const {
  state.probing.erase(from);
}

void Protocol::Handle(State& state, NodeId from, const Rejoin&, Context& context) const {
  state.probing.erase(from);
  if (state.parent != from) return;
  if (bug != Bug::kKeepsParent) state.parent.reset();
  StartJoin(state, *state.root, context);
}

void Protocol::Handle(State& state, NodeId from, const Gone&, Context& context) const {
  state.children.erase(from);
  if (state.parent != from) return;
  if (bug != Bug::kKeepsParent) state.parent.reset();
  if (state.root == from && bug != Bug::kOldRoot) {
    BecomeRoot(state, context);
  } else {
    StartJoin(state, *state.root, context);
  }
}

}  // namespace foretell::integration::randtree
