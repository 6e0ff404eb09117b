#include "foretell/search/closed_sets.h"

#include <algorithm>

namespace foretell::search {

using model::EventId;
using model::MessageId;
using model::NodeId;
using model::StateId;

ClosedSets::ClosedSets(GlobalSpace& space, const Conflicts& conflicts)
    : space_(space),
      conflicts_(conflicts),
      streams_(space.table().service().network().kind == model::NetworkKind::kStreams),
      nodes_(space.table().node_count()) {}

std::span<const ClosedSet> ClosedSets::Of(const GlobalState& state, std::span<const Move> enabled) {
  const NodeId node = enabled[0].node;
  Entry& entry = EntryOf(node, state.state(node), state.mailbox(node));
  const auto same = [](const Move& move, EventId event) { return move.event == event; };
  if (entry.known && entry.state == state.state(node) && entry.mailbox == state.mailbox(node) &&
      std::equal(enabled.begin(), enabled.end(), entry.enabled.begin(), entry.enabled.end(),
                 same)) {
    return entry.sets;
  }
  entry.known = true;
  entry.state = state.state(node);
  entry.mailbox = state.mailbox(node);
  Find(state, enabled, entry);
  return entry.sets;
}

ClosedSets::Entry& ClosedSets::EntryOf(NodeId node, StateId state, MailboxId mailbox) {
  Node& own = nodes_[node.index()];
  // More of them found than there is room for: some are found again and again.
  if (own.found >= own.entries.size() && own.entries.size() < kEntriesMax) {
    const size_t size = own.entries.empty() ? kEntriesMin : 4 * own.entries.size();
    own.entries = std::vector<Entry>(size);
    own.found = 0;
  }
  const uint64_t mixed =
      model::PairKey(state.value(), mailbox.value()) * uint64_t{0x9e3779b97f4a7c15};
  return own.entries[mixed >> 32 & (own.entries.size() - 1)];
}

void ClosedSets::Find(const GlobalState& state, std::span<const Move> enabled, Entry& entry) {
  ++nodes_[enabled[0].node.index()].found;
  entry.enabled.clear();
  entry.sets.clear();
  for (const Move& move : enabled) entry.enabled.push_back(move.event);
  for (uint32_t first = 0; first < enabled.size(); ++first) {
    if (!Eligible(enabled[first])) continue;
    ClosedSet set{.size = 1};
    set.places.Set(first);
    open_.assign(1, first);
    if (Close(state, enabled, set)) entry.sets.push_back(std::move(set));
  }
}

bool ClosedSets::Eligible(const Move& move) const {
  return !IsFault(move.event) &&
         !barred_.contains(model::PairKey(move.node.value(), move.event.value()));
}

// Adds to `set` whatever conflicts with it. False if that cannot be done with enabled events.
bool ClosedSets::Close(const GlobalState& state, std::span<const Move> enabled, ClosedSet& set) {
  const NodeId node = enabled[0].node;
  for (size_t i = 0; i < open_.size(); ++i) {
    const SlotSet& conflicts = conflicts_.Of(node, state.state(node), enabled[open_[i]].event);
    bool closed = !conflicts.Test(Conflicts::kVisible);
    conflicts.ForEach([&](size_t member) {
      if (!closed) return;
      if (conflicts_.IsReceiver(member)) {
        set.receivers.Set(conflicts_.ReceiverOf(member).index());
      } else {
        closed = Add(state, enabled, conflicts_.EventOf(node, member), set);
      }
    });
    if (!closed) return false;
  }
  return true;
}

bool ClosedSets::Add(const GlobalState& state, std::span<const Move> enabled, EventId other,
                     ClosedSet& set) {
  const NodeId node = enabled[0].node;
  EventId first = other;
  if (streams_ && other.is_deliver()) {
    // Whatever is at the head of that stream arrives before `other` does.
    for (const MessageId head : space_.mailboxes().Deliverable(node, state.mailbox(node))) {
      if (space_.table().sender(head) == space_.table().sender(other.message())) {
        first = EventId::Deliver(head);
      }
    }
  }
  const Move move{node, first};
  const auto found = std::find(enabled.begin(), enabled.end(), move);
  if (found == enabled.end()) {
    // Not enabled now. Harmless if it can never be; actions and faults may always come back.
    if (!other.is_deliver()) return false;
    set.absent.Set(other.message().index());
    return !conflicts_.MaySend(node, state.state(node)).Test(other.message().index());
  }
  if (!Eligible(move)) return false;
  const auto place = static_cast<uint32_t>(found - enabled.begin());
  if (set.places.Test(place)) return true;
  set.places.Set(place);
  ++set.size;
  open_.push_back(place);
  return true;
}

uint64_t ClosedSets::bytes() const {
  uint64_t total = 0;
  for (const Node& node : nodes_) {
    for (const Entry& entry : node.entries) {
      total += sizeof(Entry) + entry.enabled.capacity() * sizeof(EventId) +
               entry.sets.capacity() * sizeof(ClosedSet);
    }
  }
  return total;
}

}  // namespace foretell::search
