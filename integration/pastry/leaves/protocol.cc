#include "foretell/integration/pastry/leaves/protocol.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "foretell/integration/pastry/leaves/ids.h"
#include "foretell/integration/pastry/leaves/invariants.h"

namespace foretell::integration::pastry::leaves {
namespace {

using model::NodeId;
using Context = Protocol::Context;

constexpr NodeId kBootstrap(0);

// How far apart two nodes are, whichever way is shorter.
uint32_t Apart(NodeId a, NodeId b) { return std::min(Clockwise(a, b), Clockwise(b, a)); }

// The handlers of one event.
class Handler {
 public:
  Handler(const Protocol& protocol, State& state, Context& context)
      : protocol_(protocol), state_(state), context_(context), self_(context.self()) {}

  void On(const Join&);
  void On(const Retry&);
  void On(const Maintain&);
  void On(const Recover&) { On(Retry{}); }
  void On(const Reset&);

  void On(NodeId from, const JoinRequest& message);
  void On(NodeId from, const LeafsetInfo& message);
  void On(NodeId from, const LeafsetRequest& message);
  void On(NodeId from, const Inform& message);
  void On(NodeId from, const Remove& message);
  void On(NodeId from, const Gone& message);

  // Who has a connection to this node may be told when it loses its state.
  void NoteConnection(NodeId peer) {
    if (state_.resets_left > 0 && !protocol_.idle && peer != self_) state_.open.insert(peer);
  }

 private:
  bool Has(Bug bug) const { return protocol_.bug == bug; }
  bool Member() const { return state_.phase == Phase::kMember; }

  void Send(NodeId to, const Protocol::Message& message) {
    NoteConnection(to);
    context_.Send(to, message);
  }
  void BecomeMember();
  // Answers the request of `joiner`, or passes it on.
  void Place(NodeId joiner);
  // True iff `node` was not known.
  bool Learn(NodeId node);
  void Forget(NodeId node);

  const Protocol& protocol_;
  State& state_;
  Context& context_;
  const NodeId self_;
};

void Handler::On(const Join&) {
  if (self_ == kBootstrap) {
    BecomeMember();
    return;
  }
  state_.phase = Phase::kJoining;
  On(Retry{});
}

void Handler::On(const Retry&) {
  state_.waiting = true;
  Send(kBootstrap, JoinRequest{self_});
}

void Handler::On(const Maintain&) {
  const uint32_t chosen = context_.Choose(static_cast<uint32_t>(state_.leaves.size()));
  state_.asked = *std::next(state_.leaves.begin(), chosen);
  Send(*state_.asked, LeafsetRequest{});
}

// What is under way to this node stays so: streams to the new life have the old one's messages.
void Handler::On(const Reset&) {
  const Nodes told = std::exchange(state_.open, {});
  const auto left = static_cast<uint8_t>(state_.resets_left - 1);
  state_ = protocol_.Initial(self_);
  state_.resets_left = left;
  for (const NodeId peer : told) context_.Send(peer, Gone{});
}

void Handler::BecomeMember() {
  state_.phase = Phase::kMember;
  for (const NodeId leaf : state_.leaves) Send(leaf, Inform{});
  for (const NodeId joiner : std::exchange(state_.deferred, {})) {
    if (!Has(Bug::kLostDeferred)) Place(joiner);
  }
}

void Handler::Place(NodeId joiner) {
  NodeId closest = self_;
  for (const NodeId leaf : state_.leaves) {
    if (Apart(leaf, joiner) < Apart(closest, joiner)) closest = leaf;
  }
  if (closest == self_) {
    Send(joiner, LeafsetInfo{state_.leaves});
  } else {
    Send(closest, JoinRequest{joiner});  // To `joiner` itself, if it is known from a former life.
  }
}

bool Handler::Learn(NodeId node) {
  if (node == self_ || !state_.leaves.insert(node).second) return false;
  const bool up = Clockwise(self_, node) < kIdSpace / 2;
  if (up) state_.right.insert(node);
  if (!up || Has(Bug::kBothSides)) state_.left.insert(node);
  return true;
}

void Handler::Forget(NodeId node) {
  state_.leaves.erase(node);
  if (Has(Bug::kHalfRemoved)) return;
  state_.left.erase(node);
  state_.right.erase(node);
}

void Handler::On(NodeId from, const JoinRequest& message) {
  const NodeId joiner = message.joiner;
  if (joiner == self_) state_.waiting = false;  // Came back: it can be tried again.
  if (Member()) {
    if (joiner != self_) Place(joiner);
  } else if (from == joiner) {
    state_.deferred.insert(joiner);
  } else {
    if (!Has(Bug::kRejoin)) Send(from, Remove{joiner});
  }
}

void Handler::On(NodeId from, const LeafsetInfo& message) {
  if (state_.asked == from) state_.asked.reset();
  const bool answered = std::exchange(state_.waiting, false);
  if (state_.phase == Phase::kJoining) {
    Learn(from);
    for (const NodeId leaf : message.leaves) Learn(leaf);
    BecomeMember();
    return;
  }
  if (Member() && answered && Learn(from)) Send(from, Inform{});
  if (Member() && !Has(Bug::kNoMerge)) {
    for (const NodeId leaf : message.leaves) {
      if (Learn(leaf)) Send(leaf, Inform{});
    }
  }
}

void Handler::On(NodeId from, const LeafsetRequest&) {
  if (Member() && !Has(Bug::kNoMerge)) Learn(from);
  Send(from, LeafsetInfo{state_.leaves});
}

void Handler::On(NodeId from, const Inform&) {
  if (Member()) Learn(from);
}

void Handler::On(NodeId from, const Remove& message) {
  Forget(from);
  if (Member() && message.joiner != from) Place(message.joiner);
}

void Handler::On(NodeId from, const Gone&) {
  if (state_.asked == from) state_.asked.reset();
  if (from == kBootstrap) state_.waiting = false;
  state_.deferred.erase(from);
  Forget(from);
}

}  // namespace

State Protocol::Initial(NodeId node) const {
  State state;
  state.resets_left = resets == node.value() ? 1 : 0;
  return state;
}

std::vector<Protocol::Action> Protocol::Actions(NodeId node, const State& state) const {
  std::vector<Action> actions;
  const bool lost_first = node != kBootstrap && !state.leaves.contains(kBootstrap);
  if (state.phase == Phase::kOutside) actions.push_back(Join{});
  if (state.phase == Phase::kJoining && !state.waiting) actions.push_back(Retry{});
  if (state.phase == Phase::kMember && !state.leaves.empty() && !state.asked) {
    actions.push_back(Maintain{});
  }
  if (state.phase == Phase::kMember && lost_first && !state.waiting && bug != Bug::kNoRecovery) {
    actions.push_back(Recover{});
  }
  if (state.phase != Phase::kOutside && state.resets_left > 0) actions.push_back(Reset{});
  return actions;
}

void Protocol::OnAction(State& state, const Action& action, Context& context) const {
  Handler handler(*this, state, context);
  std::visit([&](const auto& alternative) { handler.On(alternative); }, action);
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         Context& context) const {
  Handler handler(*this, state, context);
  handler.NoteConnection(from);
  std::visit([&](const auto& alternative) { handler.On(from, alternative); }, message);
}

void Protocol::OnBreak(State& state, NodeId peer, Context& context) const {
  Handler(*this, state, context).On(peer, Gone{});
}

model::ActionTiming Protocol::Timing(const Action& action) const {
  using std::chrono::milliseconds;
  using Origin = model::ActionTiming::Origin;
  if (std::holds_alternative<Retry>(action)) return {Origin::kTimer, milliseconds(500)};
  if (std::holds_alternative<Maintain>(action)) return {Origin::kTimer, milliseconds(200)};
  if (std::holds_alternative<Recover>(action)) return {Origin::kTimer, milliseconds(500)};
  return {.adverse = std::holds_alternative<Reset>(action)};
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const { return MakeInvariants(); }

bool Protocol::Valid(const State& state) const {
  const auto exists = [this](NodeId node) { return node.value() < nodes; };
  const Nodes* const sets[] = {&state.leaves, &state.left, &state.right, &state.deferred,
                               &state.open};
  return (!state.asked || exists(*state.asked)) &&
         std::all_of(std::begin(sets), std::end(sets), [&](const Nodes* all) {
           return std::all_of(all->begin(), all->end(), exists);
         });
}

bool Protocol::Valid(const Message& message) const {
  const auto exists = [this](NodeId node) { return node.value() < nodes; };
  if (const auto* join = std::get_if<JoinRequest>(&message)) return exists(join->joiner);
  if (const auto* remove = std::get_if<Remove>(&message)) return exists(remove->joiner);
  const auto* info = std::get_if<LeafsetInfo>(&message);
  return info == nullptr || std::all_of(info->leaves.begin(), info->leaves.end(), exists);
}

}  // namespace foretell::integration::pastry::leaves
