// How a node finds its parent.

#include "foretell/integration/randtree/protocol.h"

namespace foretell::integration::randtree {

void Protocol::Run(State& state, const JoinOverlay&, Context& context) const {
  state.root = context.self();
  if (state.peers.empty()) return BecomeRoot(state, context);
  StartJoin(state, *state.peers.begin(), context);
}

// Whoever was the root before does not answer: the node stands for itself.
void Protocol::Run(State& state, const JoinTimeout&, Context& context) const {
  if (bug != Bug::kOldRoot) SetRoot(state, context.self(), context);
  std::vector<NodeId> others;
  for (const NodeId peer : state.peers) {
    if (!state.children.contains(peer)) others.push_back(peer);
  }
  if (others.empty()) return Settle(state);
  state.asking = false;
  StartJoin(state, AnyOf(others, context), context);
}

void Protocol::Handle(State& state, NodeId, const Join& message, Context& context) const {
  const NodeId self = context.self();
  const NodeId source = message.source;
  if (state.phase == Phase::kOutside || source == self) {
    Send(state, source, JoinReply{Reply::kRefused, std::nullopt}, context);
  } else if (source == *state.root) {
    Send(state, source, JoinReply{Reply::kLoop, std::nullopt}, context);
  } else if (*state.root != self && message.down != state.root) {
    Send(state, *state.root, Join{source, std::nullopt}, context);
  } else if (*state.root == self && source < self && bug != Bug::kAnyOrder) {
    Send(state, source, JoinReply{Reply::kForce, std::nullopt}, context);
    state.peers.insert(source);
    StartJoin(state, source, context);
  } else {
    TakeIn(state, message, context);
  }
}

// REQUIRES: this node is the root, or the root sent the message down.
void Protocol::TakeIn(State& state, const Join& message, Context& context) const {
  const NodeId self = context.self();
  const bool is_root = *state.root == self;
  if (state.children.contains(message.source) || (state.phase == Phase::kJoining && !is_root)) {
    Send(state, message.source, JoinReply{Reply::kRefused, std::nullopt}, context);
  } else if (state.children.size() < children_max) {
    state.children.insert(message.source);
    Send(state, message.source, JoinReply{Reply::kAccepted, state.root}, context);
    if (state.phase == Phase::kJoining && bug != Bug::kAnyOrder) {
      Settle(state);
      state.recovery_timer = bug != Bug::kForgetsRecovery;
    }
  } else {
    const std::vector<NodeId> children(state.children.begin(), state.children.end());
    Send(state, AnyOf(children, context), Join{message.source, *state.root}, context);
  }
}

void Protocol::Handle(State& state, NodeId from, const JoinReply& message, Context& context) const {
  state.asking = false;
  const bool accepted = message.reply == Reply::kAccepted;
  if (state.phase == Phase::kJoining) {
    if (accepted) {
      Accepted(state, from, message.root.value_or(from), context);
    } else if (message.reply != Reply::kRefused) {
      state.parent.reset();
      BecomeRoot(state, context);
    }
    return;
  }
  const Bug silence = state.phase == Phase::kOutside ? Bug::kInitIgnoresReply : Bug::kKeepsSilent;
  if (accepted && state.parent != from && bug != silence) Send(state, from, Remove{}, context);
}

void Protocol::Accepted(State& state, NodeId from, NodeId root, Context& context) const {
  context.Require(!state.parent, "gets a parent and has one");
  state.parent = from;
  Settle(state);
  SetRoot(state, root, context);
}

void Protocol::Handle(State& state, NodeId from, const Remove&, Context&) const {
  if (bug == Bug::kRemoveOnlyJoined && state.phase != Phase::kJoined) return;
  state.children.erase(from);
}

void Protocol::Settle(State& state) const {
  state.phase = Phase::kJoined;
  state.join_timer = false;
  state.recovery_timer = true;
}

void Protocol::BecomeRoot(State& state, Context& context) const {
  Settle(state);
  SetRoot(state, context.self(), context);
}

void Protocol::StartJoin(State& state, NodeId to, Context& context) const {
  state.phase = Phase::kJoining;
  state.join_timer = true;
  state.recovery_timer = false;
  // One at a time: the answer to an earlier one decides, or lets the timer try again.
  if (state.asking) return;
  state.asking = true;
  Send(state, to, Join{context.self(), std::nullopt}, context);
}

void Protocol::SetRoot(State& state, NodeId root, Context& context) const {
  if (state.root == root) return;
  state.root = root;
  for (const NodeId child : state.children) Send(state, child, NewRoot{root}, context);
}

}  // namespace foretell::integration::randtree
