#include "foretell/integration/zab/protocol.h"

#include <algorithm>

#include "foretell/model/typed/shapes.h"

namespace foretell::integration::zab {
namespace {

using model::NodeId;

// What the followers bring along: a transaction that a majority has, and one of them delivered.
constexpr Zxid kBefore{0, 1};

std::vector<NodeId> In(const std::set<NodeId>& nodes) { return {nodes.begin(), nodes.end()}; }

bool Established(const State& state) { return state.leader.phase == Phase::kBroadcasts; }

}  // namespace

State Protocol::Initial(NodeId node) const {
  State state;
  if (IsLeader(node)) return state;
  const uint32_t follower = node.value() - leaders;
  if (follower <= followers / 2) state.follower.history = kBefore;
  if (follower == 0) state.follower.delivered = kBefore;
  return state;
}

std::vector<Protocol::Action> Protocol::Actions(NodeId node, const State& state) const {
  std::vector<Action> actions;
  if (IsLeader(node)) {
    if (Established(state) && !state.leader.submitted) actions.emplace_back(Submit{});
  } else if (!state.follower.leader) {
    actions.emplace_back(Follow{});
  }
  return actions;
}

void Protocol::OnAction(State& state, const Action& action, Context& context) const {
  if (std::holds_alternative<Follow>(action)) {
    state.follower.leader = NodeId(context.Choose(leaders));
    context.Send(*state.follower.leader, Cepoch{state.follower.promised});
    return;
  }
  Leader& leader = state.leader;
  leader.submitted = true;
  leader.history = {leader.epoch, 1};
  for (const NodeId to : In(leader.followers)) context.Send(to, Proposal{leader.history});
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         Context& context) const {
  state.last.Update([](std::optional<Message>& last, const Message& m) { last = m; }, message);
  std::visit([&](const auto& m) { Handle(state, from, m, context); }, message);
}

bool Protocol::Completes(Leader& leader, Phase phase, NodeId from) const {
  if (leader.phase != phase) return false;
  leader.got.insert(from);
  if (leader.got.size() < majority()) return false;
  leader.phase = static_cast<Phase>(static_cast<uint8_t>(phase) + 1);
  return true;
}

// Who comes late catches up on its own.
void Protocol::Handle(State& state, NodeId from, const Cepoch& message, Context& context) const {
  Leader& leader = state.leader;
  if (leader.phase != Phase::kDiscovers) return context.Send(from, NewEpoch{leader.epoch});
  leader.epoch = std::max(leader.epoch, message.promised + 1);
  if (!Completes(leader, Phase::kDiscovers, from)) return;
  for (const NodeId to : In(std::exchange(leader.got, {}))) {
    context.Send(to, NewEpoch{leader.epoch});
  }
}

void Protocol::Handle(State& state, NodeId from, const AckEpoch& message, Context& context) const {
  Leader& leader = state.leader;
  if (leader.phase > Phase::kCollects) {
    return context.Send(from, NewLeader{leader.epoch, leader.history});
  }
  if (bug != Bug::kFirstHistory || leader.got.empty()) {
    leader.history = std::max(leader.history, message.history);
  }
  if (!Completes(leader, Phase::kCollects, from)) return;
  for (const NodeId to : In(std::exchange(leader.got, {}))) {
    context.Send(to, NewLeader{leader.epoch, leader.history});
  }
}

void Protocol::Handle(State& state, NodeId from, const AckLeader&, Context& context) const {
  Leader& leader = state.leader;
  if (leader.phase > Phase::kSynchronises) return Welcome(leader, from, context);
  if (!Completes(leader, Phase::kSynchronises, from)) return;
  leader.committed = leader.history;
  for (const NodeId to : In(std::exchange(leader.got, {}))) Welcome(leader, to, context);
}

// A follower has the history that its NewLeader spoke of; a proposal of since then it gets again.
void Protocol::Welcome(Leader& leader, NodeId follower, Context& context) const {
  leader.followers.insert(follower);
  if (leader.history > leader.committed || leader.submitted) {
    context.Send(follower, Proposal{leader.history});
  }
  context.Send(follower, Commit{leader.committed});
}

void Protocol::Handle(State& state, NodeId from, const AckProposal& message, Context& c) const {
  Leader& leader = state.leader;
  if (message.zxid == leader.committed) return;
  leader.got.insert(from);
  if (leader.got.size() < majority()) return;
  leader.got.clear();
  leader.committed = message.zxid;
  for (const NodeId to : In(leader.followers)) c.Send(to, Commit{leader.committed});
}

void Protocol::Handle(State& state, NodeId from, const NewEpoch& message, Context& context) const {
  Follower& follower = state.follower;
  if (message.epoch <= follower.promised) return;
  follower.promised = message.epoch;
  context.Send(from, AckEpoch{follower.history});
}

void Protocol::Handle(State& state, NodeId from, const NewLeader& message, Context& context) const {
  Follower& follower = state.follower;
  if (message.epoch != follower.promised) return;
  follower.epoch = message.epoch;
  follower.history = message.history;
  context.Send(from, AckLeader{});
}

void Protocol::Handle(State& state, NodeId from, const Proposal& message, Context& context) const {
  Follower& follower = state.follower;
  follower.history = std::max(follower.history, message.zxid);
  context.Send(from, AckProposal{message.zxid});
}

void Protocol::Handle(State& state, NodeId, const Commit& message, Context&) const {
  Follower& follower = state.follower;
  follower.delivered = std::max(follower.delivered, message.upto);
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const {
  const auto epoch = [](NodeId, const State& s) {
    return Established(s) ? std::optional(s.leader.epoch) : std::nullopt;
  };
  return {model::AtMostOne("one-leader", "No two leaders are established in one epoch.", epoch),
          model::Always("integrity", "Nothing is delivered that is not in the history.",
                        [](const State& s) { return s.follower.delivered <= s.follower.history; }),
          model::WhenStuck(model::SystemInvariant<State, uint32_t>(
              {.name = "established", .text = "In the end some leader is established."}, epoch,
              [](const auto& epochs) {
                return std::none_of(epochs.begin(), epochs.end(),
                                    [](const auto& e) { return e.has_value(); });
              })),
          model::Reaches("broadcast", "A transaction is delivered by somebody.",
                         [](const State& s) { return s.follower.delivered.epoch > 0; })};
}

}  // namespace foretell::integration::zab
