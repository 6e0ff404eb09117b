#include "foretell/integration/synod/protocol.h"

#include "foretell/model/typed/shapes.h"

namespace foretell::integration::synod {
namespace {

using model::NodeId;

// The ballot of a proposer, which is also the value that it has in mind.
uint32_t BallotOf(NodeId proposer) { return proposer.value() + 1; }

uint32_t BallotOf(const std::optional<Vote>& vote) { return vote ? vote->ballot : 0; }

bool Agrees(const std::map<uint32_t, uint32_t>& learned) {
  for (const auto& [ballot, value] : learned) {
    if (value != learned.begin()->second) return false;
  }
  return true;
}

}  // namespace

std::string Protocol::Role(NodeId node) const {
  if (IsProposer(node)) return "proposer";
  return node.value() < proposers + acceptors ? "acceptor" : "learner";
}

std::vector<Propose> Protocol::Actions(NodeId node, const State& state) const {
  if (!IsProposer(node) || state.proposer.phase != Phase::kIdle) return {};
  return {Propose{}};
}

void Protocol::OnAction(State& state, const Propose&, Context& context) const {
  state.proposer.phase = Phase::kReads;
  ToAcceptors(Read{BallotOf(context.self())}, context);
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         Context& context) const {
  state.last.Update([](std::optional<Message>& last, const Message& m) { last = m; }, message);
  std::visit([&](const auto& m) { Handle(state, from, m, context); }, message);
}

void Protocol::ToAcceptors(const Message& message, Context& context) const {
  for (uint32_t a = 0; a < acceptors; ++a) context.Send(NodeId(proposers + a), message);
}

void Protocol::Handle(State& state, NodeId from, const Read& message, Context& context) const {
  Acceptor& acceptor = state.acceptor;
  if (message.ballot <= acceptor.promised) return;
  acceptor.promised = message.ballot;
  context.Send(from, ReadRepl{message.ballot, acceptor.accepted});
}

void Protocol::Handle(State& state, NodeId from, const ReadRepl& message, Context& context) const {
  Proposer& proposer = state.proposer;
  if (proposer.phase != Phase::kReads) return;
  proposer.got.insert(from);
  if (BallotOf(message.accepted) > BallotOf(proposer.best)) proposer.best = message.accepted;
  if (!Enough(proposer.got)) return;
  const uint32_t ballot = BallotOf(context.self());
  const uint32_t value = proposer.best ? proposer.best->value : ballot;
  proposer = {.phase = Phase::kWrites, .value = value};
  ToAcceptors(Write{{ballot, value}}, context);
}

void Protocol::Handle(State& state, NodeId, const Write& message, Context& context) const {
  Acceptor& acceptor = state.acceptor;
  const Bug here = IsFaulty(context.self()) ? bug : Bug::kNone;
  if (message.vote.ballot < acceptor.promised && here != Bug::kAcceptsAll) return;
  const bool highest = message.vote.ballot > BallotOf(acceptor.accepted);
  if (highest || here == Bug::kLastAccepted) acceptor.accepted = message.vote;
  context.Send(NodeId(proposers + acceptors), Accept{message.vote});
}

void Protocol::Handle(State& state, NodeId from, const Accept& message, Context&) const {
  const auto [ballot, value] = message.vote;
  Learner& learner = state.learner;
  if (learner.learned.contains(ballot)) return;
  learner.got[ballot].insert(from);
  if (!Enough(learner.got[ballot])) return;
  learner.learned[ballot] = value;
  learner.got.erase(ballot);
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const {
  return {model::Stable(model::Always("agreement", "The learner learns no two different values.",
                                      [](const State& s) { return Agrees(s.learner.learned); })),
          model::Reaches("learned", "Something is learned.",
                         [](const State& s) { return !s.learner.learned.empty(); })};
}

}  // namespace foretell::integration::synod
