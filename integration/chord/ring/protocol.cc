#include "foretell/integration/chord/ring/protocol.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "foretell/integration/chord/ring/ids.h"
#include "foretell/integration/chord/ring/invariants.h"

namespace foretell::integration::chord::ring {
namespace {

using model::NodeId;
using Context = Protocol::Context;

constexpr NodeId kBootstrap(0);

bool Nearer(NodeId self, NodeId node, std::optional<NodeId> predecessor) {
  return !predecessor || Between(RingId(*predecessor), RingId(node), RingId(self));
}

// The handlers of one event.
class Handler {
 public:
  Handler(const Protocol& protocol, State& state, Context& context)
      : protocol_(protocol), state_(state), context_(context), self_(context.self()) {}

  void On(const Join&);
  void On(const Retry&);
  void On(const Stabilize&);
  void On(const Reset&);

  void On(NodeId from, const FindPred& message);
  void On(NodeId from, const FindPredReply& message);
  void On(NodeId from, const GetPred& message);
  void On(NodeId from, const GetPredReply& message);
  void On(NodeId from, const UpdatePred& message);
  void On(NodeId from, const Remove& message);
  void On(NodeId from, const Gone& message);

  // Who has a connection to this node is told when it loses its state.
  void NoteConnection(NodeId peer) {
    if (state_.resets_left > 0 && peer != self_) state_.open.insert(peer);
  }

 private:
  bool Has(Bug bug) const { return protocol_.bug == bug; }
  bool Alone() const { return state_.successor == self_; }

  void Send(NodeId to, const Protocol::Message& message) {
    NoteConnection(to);
    context_.Send(to, message);
  }
  void BecomeMember();
  // Answers the FindPred of `who`, or passes it on.
  void Place(NodeId who);
  // Takes `node` for the successor if it is nearer than the present one.
  void Learn(NodeId node);
  // Forgets a node that is no member.
  void Drop(NodeId node);

  const Protocol& protocol_;
  State& state_;
  Context& context_;
  const NodeId self_;
};

void Handler::On(const Join&) {
  if (self_ == kBootstrap) {
    state_.predecessor = self_;
    BecomeMember();
    return;
  }
  state_.source = protocol_.any_source ? NodeId(context_.Choose(self_.value())) : kBootstrap;
  state_.phase = Phase::kJoining;
  On(Retry{});
}

void Handler::On(const Retry&) {
  state_.waiting = true;
  Send(state_.source.value_or(kBootstrap), FindPred{self_});
}

void Handler::On(const Stabilize&) {
  state_.asked = state_.successor;
  Send(state_.successor, GetPred{});
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
  for (const NodeId who : std::exchange(state_.queue, {})) {
    if (!Has(Bug::kDeafBootstrap)) Place(who);
  }
}

void Handler::Place(NodeId who) {
  const uint32_t wanted = RingId(who);
  const uint32_t self = RingId(self_);
  const std::optional<NodeId>& predecessor = state_.predecessor;
  context_.Require(!Alone() || !Has(Bug::kLostAlone), "has no next hop");
  if (predecessor && predecessor != self_ &&
      Distance(RingId(*predecessor), wanted) <= Distance(RingId(*predecessor), self)) {
    Send(*predecessor, FindPred{who});
  } else if (Alone() || Distance(self, wanted) <= Distance(self, RingId(state_.successor))) {
    Send(who, FindPredReply{state_.successor});
  } else {
    Send(state_.successor, FindPred{who});
  }
}

void Handler::Learn(NodeId node) {
  if (node == self_) return;
  if (!Between(RingId(self_), RingId(node), RingId(state_.successor))) return;
  state_.successor = node;
  if (state_.predecessor == self_) state_.predecessor.reset();  // Not alone any more.
}

void Handler::Drop(NodeId node) {
  if (state_.phase != Phase::kMember) return;
  if (state_.predecessor == node) state_.predecessor.reset();
  if (state_.successor != node) return;
  state_.successor = state_.predecessor.value_or(self_);
  if (Alone() && !Has(Bug::kStuckPair)) state_.predecessor = self_;
}

void Handler::On(NodeId from, const FindPred& message) {
  if (state_.phase == Phase::kMember) {
    Place(message.who);
  } else if (from == message.who) {
    state_.queue.insert(from);
  } else {
    Send(from, Remove{message.who});
  }
}

void Handler::On(NodeId from, const FindPredReply& message) {
  if (state_.phase == Phase::kOutside) return;
  state_.waiting = false;
  Learn(message.successor);
  if (state_.phase == Phase::kMember) {  // An answer to a former life, or to a question repeated.
    Learn(from);
    return;
  }
  state_.predecessor = from;
  if (!Has(Bug::kOwnSuccessor)) Learn(from);
  Send(state_.successor, UpdatePred{});
  BecomeMember();
}

void Handler::On(NodeId from, const GetPred&) {
  if (state_.phase != Phase::kMember && Has(Bug::kMuteOutsider)) return;
  Send(from, GetPredReply{state_.predecessor});
}

void Handler::On(NodeId from, const GetPredReply& message) {
  if (state_.asked != from) return;
  state_.asked.reset();
  if (from != state_.successor || message.predecessor == self_) return;
  if (message.predecessor) Learn(*message.predecessor);
  if (!Has(Bug::kNoNotify)) Send(state_.successor, UpdatePred{});
}

void Handler::On(NodeId from, const UpdatePred&) {
  if (state_.phase != Phase::kMember || !Nearer(self_, from, state_.predecessor)) return;
  state_.predecessor = from;
  // The revised protocol has it that routing state is updated by whatever one hears of.
  if (!Has(Bug::kSelfLoop)) Learn(from);
}

void Handler::On(NodeId from, const Remove& message) {
  Drop(from);
  if (state_.phase == Phase::kMember) Place(message.who);
}

void Handler::On(NodeId from, const Gone&) {
  if (state_.asked == from) state_.asked.reset();
  if (state_.source == from) state_.waiting = false;
  state_.queue.erase(from);
  Drop(from);
}

}  // namespace

State Protocol::Initial(NodeId node) const {
  State state;
  state.successor = node;
  state.resets_left = resets == node.value() ? 1 : 0;
  return state;
}

std::vector<Protocol::Action> Protocol::Actions(NodeId node, const State& state) const {
  std::vector<Action> actions;
  if (state.phase == Phase::kOutside) actions.push_back(Join{});
  if (state.phase == Phase::kJoining && !state.waiting) actions.push_back(Retry{});
  if (state.phase == Phase::kMember && state.successor != node && !state.asked) {
    actions.push_back(Stabilize{});
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
  if (std::holds_alternative<Stabilize>(action)) return {Origin::kTimer, milliseconds(200)};
  return {.adverse = std::holds_alternative<Reset>(action)};
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const { return MakeInvariants(); }

bool Protocol::Valid(const State& state) const {
  const auto exists = [this](const auto& node) { return node.value() < nodes; };
  const auto may_exist = [&](const auto& node) { return !node || exists(*node); };
  const auto all_exist = [&](const Nodes& all) {
    return std::all_of(all.begin(), all.end(), exists);
  };
  return exists(state.successor) && may_exist(state.predecessor) && may_exist(state.asked) &&
         may_exist(state.source) && all_exist(state.queue) && all_exist(state.open);
}

bool Protocol::Valid(const Message& message) const {
  if (const auto* find = std::get_if<FindPred>(&message)) return find->who.value() < nodes;
  if (const auto* remove = std::get_if<Remove>(&message)) return remove->who.value() < nodes;
  if (const auto* reply = std::get_if<FindPredReply>(&message)) {
    return reply->successor.value() < nodes;
  }
  const auto* reply = std::get_if<GetPredReply>(&message);
  return reply == nullptr || !reply->predecessor || reply->predecessor->value() < nodes;
}

}  // namespace foretell::integration::chord::ring
