#include "foretell/search/graphs/node_graphs.h"

#include <algorithm>
#include <utility>

namespace foretell::search {

using model::EventId;
using model::MessageId;
using model::NodeId;
using model::PairKey;
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
  nodes_[table_.receiver(message).index()].inbox.push_back(message);
}

void NodeGraphs::AddConfig(NodeId node, Config config) {
  Node& own = nodes_[node.index()];
  if (own.local.size() <= config.state.index()) own.local.resize(config.state.index() + 1);
  Local& local = own.local[config.state.index()];
  if (!local.known) {
    local.known = true;
    own.states.push_back(config.state);
  }
  const auto covered = [&](uint32_t index) { return Covers(own.configs[index], config); };
  if (std::any_of(local.configs.begin(), local.configs.end(), covered)) return;
  const auto place = [&](Config fresh) {
    std::erase_if(local.configs, [&](uint32_t index) {
      return own.configs[index].dead = Covers(fresh, own.configs[index]);
    });
    footprints_.CanSend(node, fresh.may_have_sent);
    local.configs.push_back(static_cast<uint32_t>(own.configs.size()));
    own.depth = std::max(own.depth, fresh.depth);
    own.configs.push_back(std::move(fresh));
  };
  own.heap_bytes += HeapBytes(config);
  place(std::move(config));
  // Messages that circulate give a state more histories than anybody wants to tell apart. Paxos
  // with two proposals has the same node states with this limit as without.
  constexpr size_t kConfigsMax = 32;
  local.joined |= local.configs.size() > kConfigsMax;
  if (local.joined && local.configs.size() > 1) place(Join(own, local));
  progressed_ = true;
}

NodeGraphs::Config NodeGraphs::Join(const Node& node, const Local& local) const {
  Config join = node.configs[local.configs[0]];
  for (const uint32_t index : local.configs) {
    const Config& config = node.configs[index];
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
      progressed_ = std::exchange(supplies_grew_, false) || refreshed;
      if (progressed_ && !Retry(budget)) return false;
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
    for (size_t i = 0; allowed && i < local_events.size(); ++i) {
      if (!Execute(node, index, local_events[i], budget)) return false;
    }
    own.configs[index].local_done = allowed;
  }
  if (!table_.Accepts(node, state)) return true;
  while (own.configs[index].tried < own.inbox.size()) {
    const MessageId message = own.inbox[own.configs[index].tried];
    if (!Consider(node, index, message, budget)) return false;
    ++own.configs[index].tried;
  }
  return true;
}

bool NodeGraphs::MayArrive(NodeId node, const Config& config, MessageId message) const {
  const Supply& supply = supplies_[message.index()];
  const uint64_t limit = uint64_t{supply.in_cut} + uint64_t{supply.sends_max} * copies_per_send_;
  if (!supply.unbounded && footprints_.Copies(config.consumed, message) >= limit) return false;
  return footprints_.CanArrive(node, config.may_have_sent, footprints_.Known(config.consumed),
                               message);
}

bool NodeGraphs::Consider(NodeId node, uint32_t index, MessageId message, model::Budget& budget) {
  Node& own = nodes_[node.index()];
  if (MayArrive(node, own.configs[index], message)) {
    return Execute(node, index, EventId::Deliver(message), budget);
  }
  own.blocked.push_back({index, message});
  return true;
}

bool NodeGraphs::Retry(model::Budget& budget) {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    const std::vector<Blocked> blocked = std::exchange(nodes_[n].blocked, {});
    for (size_t i = 0; i < blocked.size(); ++i) {
      if (nodes_[n].configs[blocked[i].config].dead) continue;
      // A step for looking: lists can be long, and most of what is on them stays there.
      if (budget.TakeStep() && Consider(NodeId(n), blocked[i].config, blocked[i].message, budget)) {
        continue;
      }
      // A later call goes on from here.
      nodes_[n].blocked.insert(nodes_[n].blocked.end(), blocked.begin() + static_cast<long>(i),
                               blocked.end());
      supplies_grew_ = true;
      return false;
    }
  }
  return true;
}

bool NodeGraphs::Execute(NodeId node, uint32_t index, EventId event, model::Budget& budget) {
  if (!budget.TakeStep()) return false;
  constexpr uint64_t kTellEvery = 1 << 12;
  if (++transitions_ % kTellEvery == 0) Tell(budget);
  Node& own = nodes_[node.index()];
  const StateId state = own.configs[index].state;
  const auto steps = table_.Successors(node, state, event);
  if (own.edges.insert(PairKey(state.value(), event.value())).second) {
    own.local[state.index()].events.push_back(event);
    progressed_ = true;
  }
  for (const model::Step& step : steps) Follow(node, index, event, step);
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

bool NodeGraphs::HasEdge(NodeId node, StateId state, EventId event) const {
  return nodes_[node.index()].edges.contains(PairKey(state.value(), event.value()));
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
    // Every edge is also in the list of its state; lists grow by doubling.
    total += node.configs.capacity() * sizeof(Config) + node.heap_bytes +
             node.local.capacity() * sizeof(Local) +
             node.edges.capacity() * (sizeof(uint64_t) + 1 + 2 * sizeof(EventId)) +
             node.blocked.capacity() * sizeof(Blocked);
  }
  return total;
}

}  // namespace foretell::search
