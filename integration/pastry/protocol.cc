#include "foretell/integration/pastry/protocol.h"

#include <algorithm>
#include <utility>

#include "foretell/model/typed/fields.h"

namespace foretell::integration::pastry {
namespace {

using model::NodeId;

constexpr NodeId kFirst(0);

uint32_t Distance(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

std::optional<NodeId>& Cell(State& state, NodeId self, NodeId node) {
  const uint32_t id = OverlayId(node);
  const uint32_t row = SharedDigits(OverlayId(self), id);
  return state.table[row][Digit(id, row)];
}

// Of several candidates the lowest stays, in whatever order they come.
void Enter(State& state, NodeId self, NodeId node) {
  std::optional<NodeId>& cell = Cell(state, self, node);
  cell = std::min(cell.value_or(node), node);
}

// Where a message for `joiner` goes from here; nothing if no other node is closer to it.
std::optional<NodeId> NextHop(State& state, NodeId self, NodeId joiner) {
  const std::optional<NodeId> entry = Cell(state, self, joiner);
  if (entry && entry != joiner) return entry;
  const uint32_t wanted = OverlayId(joiner);
  std::optional<NodeId> next;
  uint32_t shortest = Distance(OverlayId(self), wanted);
  for (const NodeId leaf : state.leaves) {
    if (leaf == joiner || Distance(OverlayId(leaf), wanted) >= shortest) continue;
    next = leaf;
    shortest = Distance(OverlayId(leaf), wanted);
  }
  return next;
}

// A node learns of others, and tells them of itself.
void Meet(State& state, const Nodes& nodes, Protocol::Context& context) {
  for (const NodeId node : nodes) {
    if (node == context.self() || !state.leaves.insert(node).second) continue;
    state.waiting.insert(node);
    context.Send(node, Announce{});
  }
  if (state.phase == Phase::kJoining) state.phase = Phase::kAnnouncing;
  if (state.waiting.empty()) state.phase = Phase::kActive;
}

Nodes WithSelf(Nodes nodes, NodeId self) {
  nodes.insert(self);
  return nodes;
}

// What a node says of itself once it has joined.
struct Membership {
  NodeId node;
  Nodes leaves;
  FORETELL_FIELDS(node, leaves)
};

std::optional<Membership> Active(NodeId node, const State& state) {
  if (state.phase != Phase::kActive) return std::nullopt;
  return Membership{node, state.leaves};
}

bool Strangers(const Membership& a, const Membership& b) {
  return !a.leaves.contains(b.node) || !b.leaves.contains(a.node);
}

}  // namespace

uint32_t Digit(uint32_t id, uint32_t number) { return number == 0 ? id / kBase : id % kBase; }

uint32_t SharedDigits(uint32_t a, uint32_t b) { return Digit(a, 0) == Digit(b, 0) ? 1 : 0; }

State Protocol::Initial(NodeId node) const {
  State state;
  state.may_time_out = timeouts[node.index()];
  state.repairs_left = repairs_max[node.index()];
  state.probes_left = probes_max[node.index()];
  if (node == kFirst) state.phase = Phase::kActive;
  return state;
}

std::vector<Protocol::Action> Protocol::Actions(NodeId, const State& state) const {
  std::vector<Action> actions;
  if (state.phase == Phase::kOutside) actions.push_back(Join{});
  const bool waits = state.phase == Phase::kJoining || !state.waiting.empty();
  if (waits && state.may_time_out) actions.push_back(Timeout{});
  if (state.leaves.empty()) return actions;
  if (state.repairs_left > 0) actions.push_back(Repair{});
  if (state.probes_left > 0 && state.waiting.empty()) actions.push_back(Probe{});
  return actions;
}

void Protocol::OnAction(State& state, const Action& action, Context& context) const {
  std::visit([&](const auto& alternative) { Run(state, alternative, context); }, action);
}

void Protocol::Run(State& state, const Join&, Context& context) const {
  state.phase = Phase::kJoining;
  context.Send(kFirst, JoinRequest{context.self()});
}

void Protocol::Run(State& state, const Timeout&, Context& context) const {
  state.may_time_out = false;
  if (state.phase == Phase::kJoining) {
    context.Send(kFirst, JoinRequest{context.self()});
  } else if (bug == Bug::kHasty) {
    state.phase = Phase::kActive;
    state.waiting.clear();
  } else {
    for (const NodeId node : state.waiting) context.Send(node, Announce{});
  }
}

void Protocol::Run(State& state, const Repair&, Context& context) const {
  --state.repairs_left;
  for (const NodeId leaf : state.leaves) Enter(state, context.self(), leaf);
}

void Protocol::Run(State& state, const Probe&, Context& context) const {
  --state.probes_left;
  state.waiting = state.leaves;
  for (const NodeId leaf : state.leaves) context.Send(leaf, Announce{});
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         Context& context) const {
  std::visit([&](const auto& alternative) { Handle(state, from, alternative, context); }, message);
}

void Protocol::Handle(State& state, NodeId, const JoinRequest& message, Context& context) const {
  const NodeId self = context.self();
  const std::optional<NodeId> next = NextHop(state, self, message.joiner);
  if (!next) {
    context.Send(message.joiner, LeafSet{WithSelf(state.leaves, self)});
    return;
  }
  Nodes row;
  for (const auto& cell : state.table[SharedDigits(OverlayId(self), OverlayId(message.joiner))]) {
    if (cell) row.insert(*cell);
  }
  context.Send(message.joiner, TableRow{WithSelf(std::move(row), self)});
  context.Send(*next, message);
}

void Protocol::Handle(State& state, NodeId, const TableRow& message, Context& context) const {
  for (const NodeId node : message.nodes) {
    if (node != context.self()) Enter(state, context.self(), node);
  }
  // Before its leaf set arrives a node tells nobody that it is there.
  if (state.phase != Phase::kJoining) Meet(state, message.nodes, context);
}

void Protocol::Handle(State& state, NodeId, const LeafSet& message, Context& context) const {
  Nodes known = message.nodes;
  for (const Row& row : state.table) {
    for (const auto& cell : row) {
      if (cell) known.insert(*cell);
    }
  }
  Meet(state, known, context);
}

void Protocol::Handle(State& state, NodeId from, const Announce&, Context& context) const {
  state.leaves.insert(from);
  context.Send(from, Ack{bug == Bug::kBareAck ? Nodes() : state.leaves});
}

void Protocol::Handle(State& state, NodeId from, const Ack& message, Context& context) const {
  state.waiting.erase(from);
  Meet(state, message.nodes, context);
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const {
  return {model::PairInvariant<State, Membership>(
      {.name = "acquainted", .text = "Two nodes that have both joined know of each other."}, Active,
      Strangers)};
}

}  // namespace foretell::integration::pastry
