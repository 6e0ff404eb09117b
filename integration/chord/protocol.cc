#include "foretell/integration/chord/protocol.h"

#include "foretell/integration/chord/ring/ids.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration::chord {
namespace {

using model::NodeId;

constexpr NodeId kFirst(0);

bool Alone(NodeId self, const State& state) {
  return state.phase == Phase::kMember && state.successor == self;
}

// Of the nodes it knows, the last one before `id` (SIGCOMM paper, figure 5).
NodeId ClosestPreceding(NodeId self, const State& state, uint32_t id) {
  if (state.finger && Between(RingId(state.successor), RingId(*state.finger), id) &&
      Between(RingId(self), RingId(*state.finger), id)) {
    return *state.finger;
  }
  return state.successor;
}

// The identifiers that a node answers for, from `after` (not included) up to `id`.
struct Range {
  uint32_t after = 0;
  uint32_t id = 0;
  FORETELL_FIELDS(after, id)
};

bool Contains(const Range& range, uint32_t id) {
  return Distance(range.after, id) <= Distance(range.after, range.id);
}

bool Overlap(const Range& a, const Range& b) { return Contains(a, b.id) || Contains(b, a.id); }

std::optional<Range> Owned(NodeId node, const State& state) {
  if (state.predecessor) return Range{RingId(*state.predecessor), RingId(node)};
  if (Alone(node, state)) return Range{RingId(node), RingId(node)};
  return std::nullopt;
}

}  // namespace

State Protocol::Initial(NodeId node) const {
  State state;
  state.successor = node;
  state.rounds_left = rounds_max[node.index()];
  if (node == kFirst) state.phase = Phase::kMember;
  return state;
}

std::vector<Protocol::Action> Protocol::Actions(NodeId node, const State& state) const {
  std::vector<Action> actions;
  if (state.phase == Phase::kOutside) actions.push_back(Join{});
  const bool waits = state.phase == Phase::kJoining || state.asking;
  if (waits && state.may_time_out) actions.push_back(Timeout{});
  if (state.phase != Phase::kMember) return actions;
  if (state.rounds_left > 0 && !state.asking && !Alone(node, state)) actions.push_back(Stabilize{});
  if (state.finger_due) actions.push_back(FixFinger{});
  return actions;
}

void Protocol::OnAction(State& state, const Action& action, Context& context) const {
  std::visit([&](const auto& alternative) { Run(state, alternative, context); }, action);
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         Context& context) const {
  std::visit([&](const auto& alternative) { Handle(state, from, alternative, context); }, message);
}

void Protocol::Run(State& state, const Join&, Context& context) const {
  state.phase = Phase::kJoining;
  context.Send(kFirst, FindSuccessor{context.self()});
}

void Protocol::Run(State& state, const Timeout&, Context& context) const {
  state.may_time_out = false;
  if (state.phase == Phase::kMember) {
    context.Send(state.successor, GetPredecessor{});
  } else if (bug == Bug::kOwnRing) {
    state.phase = Phase::kMember;
  } else {
    context.Send(kFirst, FindSuccessor{context.self()});
  }
}

void Protocol::Run(State& state, const Stabilize&, Context& context) const {
  --state.rounds_left;
  state.asking = true;
  context.Send(state.successor, GetPredecessor{});
}

// From what the node knows already: where the paper would ask others, this waits for nobody.
void Protocol::Run(State& state, const FixFinger&, Context& context) const {
  state.finger_due = false;
  const uint32_t start = (RingId(context.self()) + kRing / 2) % kRing;
  NodeId best = context.self();
  for (const NodeId known : {state.successor, state.predecessor.value_or(context.self())}) {
    if ((RingId(known) + kRing - start) % kRing < (RingId(best) + kRing - start) % kRing) {
      best = known;
    }
  }
  state.finger = best;
}

void Protocol::Handle(State& state, NodeId, const FindSuccessor& message, Context& context) const {
  const uint32_t wanted = RingId(message.joiner);
  const uint32_t self = RingId(context.self());
  // A joiner that asks again may be the successor by now; it then knows better than the answer.
  if (message.joiner == state.successor || Between(self, wanted, RingId(state.successor))) {
    context.Send(message.joiner, FoundSuccessor{state.successor});
  } else {
    context.Send(ClosestPreceding(context.self(), state, wanted), message);
  }
}

void Protocol::Handle(State& state, NodeId, const FoundSuccessor& message, Context& context) const {
  if (state.phase != Phase::kJoining) return;
  state.phase = Phase::kMember;
  state.successor = message.successor;
  state.asking = true;
  context.Send(state.successor, GetPredecessor{});
}

void Protocol::Handle(State& state, NodeId from, const GetPredecessor&, Context& context) const {
  context.Send(from, Predecessor{state.predecessor});
}

void Protocol::Handle(State& state, NodeId, const Predecessor& message, Context& context) const {
  if (!state.asking) return;
  state.asking = false;
  if (message.predecessor == context.self()) return;  // The successor knows.
  if (message.predecessor &&
      Between(RingId(context.self()), RingId(*message.predecessor), RingId(state.successor))) {
    state.successor = *message.predecessor;
  }
  context.Send(state.successor, Notify{});
}

void Protocol::Handle(State& state, NodeId from, const Notify&, Context& context) const {
  const uint32_t self = RingId(context.self());
  if (bug == Bug::kAnyPredecessor || !state.predecessor ||
      Between(RingId(*state.predecessor), RingId(from), self)) {
    state.predecessor = from;
  }
  if (!Alone(context.self(), state)) return;
  // A node that is its own successor would ask itself next, and hear of the newcomer.
  state.successor = from;
  context.Send(from, Notify{});
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const {
  return {model::PairInvariant<State, Range>(
      {.name = "one-owner", .text = "No identifier belongs to two nodes."}, Owned, Overlap)};
}

}  // namespace foretell::integration::chord
