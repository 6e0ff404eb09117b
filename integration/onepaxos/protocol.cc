#include "foretell/integration/onepaxos/protocol.h"

#include <algorithm>
#include <optional>

namespace foretell::integration::onepaxos {
namespace {

using model::NodeId;
using State = Protocol::State;
using Context = model::Context<Protocol::Message>;

constexpr paxos::Rules kUtilityRules = {.node_count = kNodes};

// Whether a ballot of this node for the next entry is still open. The entry says what the old
// acceptor can have accepted, so nothing may be proposed to that one meanwhile.
bool EntryPending(const State& state) {
  const paxos::Decree* decree = state.utility.Find(NextPosition(state.utility));
  return decree != nullptr && decree->proposer.phase != paxos::Phase::kIdle;
}

// The node that neither leads nor accepts.
uint32_t BackupOf(const View& view) {
  uint32_t node = 0;
  while (node == view.leader || node == view.acceptor) ++node;
  return node;
}

// Whether a leader knows what its acceptor can have accepted. Later leaders than the first cannot
// know what older ones proposed before they have heard from the acceptor.
bool KnowsAccepted(const State& state) { return state.chosen != 0 || state.view.epoch == 0; }

void StartEntry(State& state, const Entry& entry, Context& context) {
  --state.suspicions_left;
  paxos::Decree& decree = state.utility.At(NextPosition(state.utility));
  context.Broadcast(
      Utility{paxos::StartBallot(decree, context.self(), Pack(entry), kUtilityRules)});
}

void OnPropose(State& state, const Propose& propose, Context& context) {
  if (propose.epoch < state.accepted.epoch) return;
  state.accepted.epoch = propose.epoch;
  if (state.accepted.value == 0) state.accepted.value = propose.value;
  context.Broadcast(Learn{state.accepted.value});
}

void OnUtility(State& state, NodeId from, const paxos::Message& message, Context& context) {
  const uint32_t position = NextPosition(state.utility);
  const auto reply = paxos::Handle(state.utility, from, message, kUtilityRules);
  // What a node was initialised with holds until PaxosUtility tells it better.
  if (NextPosition(state.utility) != position) state.view = ViewOf(state.utility);
  if (!reply) return;
  if (reply->to_all) {
    context.Broadcast(Utility{reply->message});
  } else {
    context.Send(from, Utility{reply->message});
  }
}

}  // namespace

State Protocol::Initial(NodeId node) const {
  State state;
  state.proposals_left = proposals_max[node.index()];
  state.suspicions_left = suspicions_max[node.index()];
  if (acceptor_is_leader) state.view.acceptor = state.view.leader;
  return state;
}

std::vector<Protocol::Action> Protocol::Actions(NodeId node, const State& state) const {
  std::vector<Action> actions;
  const bool leads = state.view.leader == node.value();
  if (leads && state.proposals_left > 0 && state.chosen == 0 && !EntryPending(state)) {
    actions.push_back({Cause::kPropose});
  }
  if (state.suspicions_left == 0) return actions;
  if (leads && KnowsAccepted(state)) actions.push_back({Cause::kSuspectAcceptor});
  // The roles must stay apart, so the acceptor does not try to lead.
  if (!leads && state.view.acceptor != node.value()) actions.push_back({Cause::kSuspectLeader});
  return actions;
}

void Protocol::OnAction(State& state, const Action& action, Context& context) const {
  const uint32_t self = context.self().value();
  if (action.cause == Cause::kSuspectLeader) {
    StartEntry(state, {EntryKind::kLeaderChange, self, self}, context);
    return;
  }
  if (action.cause == Cause::kSuspectAcceptor) {
    const uint32_t handed = state.chosen != 0 ? state.chosen : state.proposed;
    StartEntry(state, {EntryKind::kAcceptorChange, self, BackupOf(state.view), handed}, context);
    return;
  }
  --state.proposals_left;
  state.proposed = state.view.handed != 0 ? state.view.handed : self + 1;
  context.Send(NodeId(state.view.acceptor), Propose{state.view.epoch, state.proposed});
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         Context& context) const {
  if (const auto* propose = std::get_if<Propose>(&message)) {
    OnPropose(state, *propose, context);
  } else if (const auto* learn = std::get_if<Learn>(&message)) {
    if (state.chosen == 0) state.chosen = learn->value;
  } else {
    OnUtility(state, from, std::get<Utility>(message).message, context);
  }
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const {
  const auto chosen = [](NodeId, const State& state) -> std::optional<uint32_t> {
    if (state.chosen == 0) return std::nullopt;
    return state.chosen;
  };
  return {
      model::PairInvariant<State, uint32_t>(
          {.name = "agreement", .text = "No two nodes choose different values.", .stable = true},
          chosen, [](uint32_t a, uint32_t b) { return a != b; }),
      model::SystemInvariant<State, uint32_t>(
          {.name = "decides", .text = "Eventually all nodes have chosen.", .eventually = true},
          chosen, [](const auto& keys) {
            return !std::all_of(keys.begin(), keys.end(), [](const auto& key) { return key; });
          })};
}

}  // namespace foretell::integration::onepaxos
