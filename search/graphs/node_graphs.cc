#include "foretell/search/graphs/node_graphs.h"

#include <algorithm>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::search {

using model::EventId;
using model::MessageId;
using model::NodeId;
using model::StateId;

namespace {

template <class Config>
uint64_t HeapBytes(const Config& config) {
  return config.consumed.heap_bytes() + config.sent.heap_bytes() +
         config.may_have_sent.heap_bytes();
}

// Whether all that is possible after `b` is possible after `a`.
template <class Config>
bool Covers(const Config& a, const Config& b) {
  return a.local_events <= b.local_events && a.consumed.IsSubsetOf(b.consumed) &&
         a.sent.IsSubsetOf(b.sent) && b.may_have_sent.IsSubsetOf(a.may_have_sent);
}

// A delivery that changes nothing: whoever has received one more message and can do no more is
// covered by who has not. With three proposals every second step is one.
bool IsIdle(StateId state, EventId event, const model::Step& step) {
  return event.is_deliver() && step.next == state && step.sends == model::SendsId(0);
}

}  // namespace

NodeGraphs::NodeGraphs(model::TransitionTable& table, const model::SystemCut& start)
    : table_(table),
      copies_per_send_(1 + table.service().network().duplicates_max),
      footprints_(table),
      nodes_(table.node_count()) {
  for (const model::Message& message : start.in_flight) {
    const MessageId id = table_.InternMessage(message);
    ++supply(id).in_cut;
    if (supply(id).in_cut > 1) continue;
    footprints_.Given(id);
    Announce(id);
  }
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    AddConfig(NodeId(n), {.state = table_.InternState(NodeId(n), start.nodes[n])});
  }
}

NodeGraphs::Supply& NodeGraphs::supply(MessageId message) {
  if (supplies_.size() <= message.index()) supplies_.resize(message.index() + 1);
  return supplies_[message.index()];
}

void NodeGraphs::Announce(MessageId message) {
  std::vector<MessageId>& inbox = nodes_[table_.receiver(message).index()].inbox;
  if (places_.size() <= message.index()) places_.resize(message.index() + 1, UINT32_MAX);
  places_[message.index()] = static_cast<uint32_t>(inbox.size());
  inbox.push_back(message);
}

void NodeGraphs::AddConfig(NodeId node, Config config) {
  Node& own = nodes_[node.index()];
  if (own.local.size() <= config.state.index()) own.local.resize(config.state.index() + 1);
  Local& local = own.local[config.state.index()];
  if (!local.known) {
    local.known = true;
    own.states.push_back(config.state);
  }
  const uint64_t low = config.consumed.low();
  const auto covered = [&](const Kept& kept) {
    return (kept.consumed_low & ~low) == 0 && Covers(own.configs[kept.config], config);
  };
  if (std::any_of(local.configs.begin(), local.configs.end(), covered)) return;
  const auto place = [&](Config fresh) {
    const uint64_t fresh_low = fresh.consumed.low();
    std::erase_if(local.configs, [&](const Kept& kept) {
      return (fresh_low & ~kept.consumed_low) == 0 &&
             (own.configs[kept.config].dead = Covers(fresh, own.configs[kept.config]));
    });
    footprints_.CanSend(node, fresh.may_have_sent);
    local.configs.push_back({static_cast<uint32_t>(own.configs.size()), fresh_low});
    own.depth = std::max(own.depth, fresh.depth);
    own.configs.push_back(std::move(fresh));
  };
  own.heap_bytes += HeapBytes(config);
  place(std::move(config));
  // Messages that circulate give a state more histories than anybody wants to tell apart. Paxos
  // with two proposals has the same node states with this limit as without. In a large graph
  // telling them apart costs more than it saves: with three proposals four instead of 32 give 2 %
  // more node states for 41 % fewer steps.
  constexpr size_t kLarge = 4096;
  const size_t configs_max = own.states.size() < kLarge ? 32 : 4;
  local.joined |= local.configs.size() > configs_max;
  if (local.joined && local.configs.size() > 1) place(Join(own, local));
  progressed_ = true;
}

NodeGraphs::Config NodeGraphs::Join(const Node& node, const Local& local) const {
  Config join = node.configs[local.configs[0].config];
  for (const Kept& kept : local.configs) {
    const Config& config = node.configs[kept.config];
    join.consumed.IntersectWith(config.consumed);
    join.sent.IntersectWith(config.sent);
    join.may_have_sent.UnionWith(config.may_have_sent);
    join.local_events = std::min(join.local_events, config.local_events);
    join.depth = std::max(join.depth, config.depth);
  }
  join.tried = 0;
  join.local_done = false;
  join.dead = false;
  return join;
}

bool NodeGraphs::Grow(uint32_t local_events_max, model::Budget& budget,
                      const model::ProgressSink& progress) {
  local_events_max_ = local_events_max;
  progress_ = &progress;
  held_back_ = false;
  do {
    progressed_ = false;
    if (!Pass(budget)) return false;
    // Only when all else is done: what could not arrive before may be possible by now.
    if (!progressed_) {
      const bool refreshed = footprints_.Refresh();
      if (std::exchange(supplies_grew_, false) || refreshed) LookAtAllAgain();
      progressed_ = looks_again_;
      if (looks_again_ && !Retry(budget)) return false;
    }
  } while (progressed_);
  Tell(budget);
  return !budget.spent();
}

void NodeGraphs::Tell(model::Budget& budget) const {
  const uint64_t held = bytes() + table_.bytes();
  budget.HoldBytes(held);
  if (!*progress_) return;
  (*progress_)({.phase = "exploring nodes",
                .states = state_count(),
                .transitions = transitions_,
                .depth = depth(),
                .bytes = held});
}

bool NodeGraphs::Pass(model::Budget& budget) {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    for (uint32_t c = 0; c < nodes_[n].configs.size(); ++c) {
      if (!Advance(NodeId(n), c, budget)) return false;
    }
  }
  return true;
}

bool NodeGraphs::Advance(NodeId node, uint32_t index, model::Budget& budget) {
  Node& own = nodes_[node.index()];
  if (own.configs[index].dead) return true;
  const StateId state = own.configs[index].state;
  if (!own.configs[index].local_done) {
    const auto local_events = table_.LocalEvents(node, state);
    const bool allowed = own.configs[index].local_events < local_events_max_;
    held_back_ |= !allowed && !local_events.empty();
    for (uint32_t i = 0; allowed && i < local_events.size(); ++i) {
      if (!Execute(node, index, local_events[i], i, budget)) return false;
    }
    own.configs[index].local_done = allowed;
  }
  if (!table_.Accepts(node, state)) return true;
  while (own.configs[index].tried < own.inbox.size()) {
    if (!Consider(node, index, own.configs[index].tried, budget)) return false;
    ++own.configs[index].tried;
  }
  return true;
}

bool NodeGraphs::MayArrive(NodeId node, uint32_t index, MessageId message) {
  const Config& config = nodes_[node.index()].configs[index];
  const Supply& supply = supplies_[message.index()];
  const uint64_t limit = uint64_t{supply.in_cut} + uint64_t{supply.sends_max} * copies_per_send_;
  if (!supply.unbounded && footprints_.Copies(config.consumed, message) >= limit) return false;
  footprints_.Look(node, index, config.consumed, config.may_have_sent);
  return footprints_.CanArrive(message);
}

bool NodeGraphs::Consider(NodeId node, uint32_t index, uint32_t place, model::Budget& budget) {
  Node& own = nodes_[node.index()];
  const MessageId message = own.inbox[place];
  if (MayArrive(node, index, message)) {
    return Execute(node, index, EventId::Deliver(message), place, budget);
  }
  own.blocked.push_back({index, place});
  return true;
}

void NodeGraphs::LookAtAllAgain() {
  for (Node& node : nodes_) node.again = node.blocked.size();
  looks_again_ = true;
}

// Goes on where the last call was ended by the budget: small budgets come to an end, too.
bool NodeGraphs::Retry(model::Budget& budget) {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    Node& own = nodes_[n];
    const std::vector<Blocked> list = std::exchange(own.blocked, {});
    auto next = list.begin();
    for (; own.again > 0; --own.again, ++next) {
      if (own.configs[next->config].dead) continue;
      // A step for looking: lists can be long, and most of what is on them stays there.
      if (!budget.TakeStep() || !Consider(NodeId(n), next->config, next->place, budget)) break;
    }
    own.blocked.insert(own.blocked.begin(), next, list.end());
    if (own.again > 0) return false;
  }
  looks_again_ = false;
  return true;
}

// `place`: of a local event among those of the state, of a message in the inbox.
bool NodeGraphs::Execute(NodeId node, uint32_t index, EventId event, uint32_t place,
                         model::Budget& budget) {
  if (!budget.TakeStep()) return false;
  constexpr uint64_t kTellEvery = 1 << 12;
  if (++transitions_ % kTellEvery == 0) Tell(budget);
  Node& own = nodes_[node.index()];
  const StateId state = own.configs[index].state;
  Local& local = own.local[state.index()];
  std::vector<uint32_t>& edges = event.is_deliver() ? local.deliveries : local.local_edges;
  if (edges.size() <= place) edges.resize(place + 1, 0);
  if (edges[place] == 0) {
    own.edges.push_back(table_.Successors(node, state, event));
    edges[place] = static_cast<uint32_t>(own.edges.size());
    local.events.push_back(event);
    progressed_ = true;
  }
  const auto steps = own.edges[edges[place] - 1];
  for (const model::Step& step : steps) {
    if (!IsIdle(state, event, step)) Follow(node, index, event, step);
  }
  return true;
}

void NodeGraphs::Follow(NodeId node, uint32_t index, EventId event, const model::Step& step) {
  const Config& before = nodes_[node.index()].configs[index];
  Config after{.state = step.next,
               .consumed = before.consumed,
               .sent = before.sent,
               .may_have_sent = before.may_have_sent,
               .local_events = before.local_events,
               .depth = before.depth + 1};
  if (event.is_deliver()) {
    const MessageId message = event.message();
    const uint32_t copy = footprints_.Copies(before.consumed, message);
    // An unbounded message is not counted, or there would be no end to it.
    if (!supply(message).unbounded || copy == 0) {
      after.consumed.Set(footprints_.Slot(message, copy));
    }
  } else {
    ++after.local_events;
  }
  for (const model::Batch& batch : table_.Batches(step.sends)) {
    for (const MessageId message : table_.Messages(batch.list)) Send(after, message);
  }
  for (const model::Batch& batch : table_.Batches(step.sends)) {
    for (const MessageId message : table_.Messages(batch.list)) {
      footprints_.Produced(message, after.consumed, after.sent);
    }
  }
  AddConfig(node, std::move(after));
}

void NodeGraphs::Send(Config& after, MessageId message) {
  Supply& own = supply(message);
  if (own.in_cut == 0 && own.sends_max == 0) Announce(message);
  const uint32_t copy = footprints_.Copies(after.may_have_sent, message);
  after.sent.Set(footprints_.Slot(message, 0));
  if (copy >= Footprints::kCopiesMax) {
    supplies_grew_ |= !own.unbounded;
    own.unbounded = true;
    return;
  }
  after.may_have_sent.Set(footprints_.Slot(message, copy));
  if (copy + 1 > own.sends_max) {
    own.sends_max = copy + 1;
    supplies_grew_ = true;
  }
}

std::span<const EventId> NodeGraphs::Events(NodeId node, StateId state) const {
  const std::vector<Local>& local = nodes_[node.index()].local;
  if (state.index() >= local.size()) return {};
  return local[state.index()].events;
}

// The number of an edge; 0 if there is none.
uint32_t NodeGraphs::EdgeOf(NodeId node, StateId state, EventId event) const {
  const std::vector<Local>& all = nodes_[node.index()].local;
  if (state.index() >= all.size()) return 0;
  const Local& local = all[state.index()];
  if (event.is_deliver()) {
    const size_t message = event.message().index();
    const uint32_t place = message < places_.size() ? places_[message] : UINT32_MAX;
    return place < local.deliveries.size() ? local.deliveries[place] : 0;
  }
  const auto events = table_.LocalEvents(node, state);
  for (size_t i = 0; i < local.local_edges.size(); ++i) {
    if (events[i] == event) return local.local_edges[i];
  }
  return 0;
}

bool NodeGraphs::HasEdge(NodeId node, StateId state, EventId event) const {
  return EdgeOf(node, state, event) != 0;
}

std::span<const model::Step> NodeGraphs::Successors(NodeId node, StateId state,
                                                    EventId event) const {
  const uint32_t edge = EdgeOf(node, state, event);
  FORETELL_CHECK(edge != 0);
  return nodes_[node.index()].edges[edge - 1];
}

uint64_t NodeGraphs::state_count() const {
  uint64_t count = 0;
  for (const Node& node : nodes_) count += node.states.size();
  return count;
}

uint64_t NodeGraphs::depth() const {
  uint64_t depth = 0;
  for (const Node& node : nodes_) depth += node.depth;
  return depth;
}

uint64_t NodeGraphs::bytes() const {
  uint64_t total = footprints_.bytes();
  for (const Node& node : nodes_) {
    // Every edge is also in two lists of its state; lists grow by doubling.
    total += node.configs.capacity() * sizeof(Config) + node.heap_bytes +
             node.local.capacity() * sizeof(Local) +
             node.edges.capacity() * (sizeof(std::span<const model::Step>) + 4 * sizeof(EventId)) +
             node.blocked.capacity() * sizeof(Blocked);
  }
  return total;
}

}  // namespace foretell::search
