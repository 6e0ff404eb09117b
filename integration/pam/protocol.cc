#include "foretell/integration/pam/protocol.h"

#include <algorithm>

namespace foretell::integration::pam {
namespace {

using model::NodeId;

constexpr NodeId kCrashing(1);

// Nothing is left that could tell one way to the end of a ballot from another.
void EndBallot(Protocol::State& state) {
  state.phase = Phase::kDone;
  state.votes = {};
  state.best.reset();
  state.proposal.reset();
}

}  // namespace

model::FaultBudget Protocol::faults(NodeId node) const {
  return {.crashes_max = node == kCrashing ? crashes_max : uint8_t{0}};
}

bool Protocol::IsMajority(model::NodeSet votes) const { return 2 * votes.size() > nodes; }

void Protocol::SendToOthers(const Message& message, Context& context) const {
  for (uint32_t n = 0; n < nodes; ++n) {
    if (NodeId(n) != context.self()) context.Send(NodeId(n), message);
  }
}

void Protocol::SendToAcceptors(const Message& message, Context& context) const {
  SendToOthers(message, context);
  if (loopback) context.Send(context.self(), message);
}

// The lowest of the node's own that acceptors, as far as it knows, will answer to; any beyond the
// last if there is none.
uint32_t Protocol::NextBallot(NodeId node, const State& state) const {
  const uint32_t taken = std::max(state.promised, state.ballot);
  uint32_t ballot = node.value() + 1;
  while (ballot <= taken && ballot <= ballots_max) ballot += nodes;
  return ballot;
}

std::vector<Protocol::Action> Protocol::Actions(NodeId node, const State& state) const {
  const bool is_free = state.phase == Phase::kIdle || state.ballot < state.promised;
  if (!is_free || NextBallot(node, state) > ballots_max) return {};
  return {Propose{}};
}

void Protocol::OnAction(State& state, const Action&, Context& context) const {
  const uint32_t ballot = NextBallot(context.self(), state);
  state.ballot = ballot;
  state.phase = Phase::kPrepares;
  state.votes = {};
  state.best.reset();
  state.proposal.reset();
  if (!loopback) {
    state.promised = ballot;
    state.votes.insert(context.self());
    if (bug != Bug::kFirstValue) state.best = state.accepted;
  }
  SendToAcceptors(Prepare{ballot}, context);
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         Context& context) const {
  std::visit([&](const auto& known) { Handle(state, from, known, context); }, message);
}

void Protocol::Handle(State& state, NodeId from, const Prepare& message, Context& context) const {
  if (message.ballot <= state.promised) return;
  state.promised = message.ballot;
  // Its own acceptor will not go along any more.
  if (state.phase == Phase::kPrepares && from != context.self()) EndBallot(state);
  context.Send(from, Promise{message.ballot, state.accepted});
}

void Protocol::Handle(State& state, NodeId from, const Promise& message, Context& context) const {
  const uint32_t ballot = state.ballot;
  if (state.phase != Phase::kPrepares || message.ballot != ballot) return;
  state.votes.insert(from);
  const bool better =
      message.accepted &&
      (!state.best || (bug != Bug::kFirstValue && message.accepted->ballot > state.best->ballot));
  if (better) state.best = message.accepted;
  if (!IsMajority(state.votes)) return;
  const uint32_t value = state.best ? state.best->value : context.self().value() + 1;
  state.phase = Phase::kProposes;
  state.votes = {};
  state.best.reset();
  state.proposal = value;
  if (!loopback) {
    state.accepted = Vote{ballot, value};
    state.votes.insert(context.self());
  }
  SendToAcceptors(Accept{ballot, value}, context);
}

void Protocol::Handle(State& state, NodeId from, const Accept& message, Context& context) const {
  if (message.ballot < state.promised) return;
  state.promised = message.ballot;
  state.accepted = Vote{message.ballot, message.value};
  if (state.phase == Phase::kPrepares) EndBallot(state);
  context.Send(from, Accepted{message.ballot});
}

void Protocol::Handle(State& state, NodeId from, const Accepted& message, Context& context) const {
  if (state.phase != Phase::kProposes || message.ballot != state.ballot) return;
  state.votes.insert(from);
  if (!IsMajority(state.votes) || !state.proposal) return;
  const uint32_t value = *state.proposal;
  EndBallot(state);
  if (!state.decided) state.decided = value;
  SendToOthers(Decided{value}, context);
}

void Protocol::Handle(State& state, NodeId, const Decided& message, Context&) const {
  if (!state.decided) state.decided = message.value;
}

Protocol::State Protocol::OnCrash(NodeId, const State& state) const {
  State left;
  if (bug != Bug::kForgetsOnRecovery) {
    left.promised = state.promised;
    left.accepted = state.accepted;
  }
  left.ballot = state.ballot;
  if (state.phase != Phase::kIdle) left.phase = Phase::kDone;
  left.decided = state.decided;
  return left;
}

std::vector<model::TypedInvariant<Protocol::State>> Protocol::Invariants() const {
  return {model::PairInvariant<State, uint32_t>(
      {.name = "agreement", .text = "No two nodes decide differently.", .stable = true},
      [](NodeId, const State& state) { return state.decided; },
      [](uint32_t a, uint32_t b) { return a != b; })};
}

}  // namespace foretell::integration::pam
