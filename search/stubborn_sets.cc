#include "foretell/search/stubborn_sets.h"

namespace foretell::search {

using model::EventId;
using model::MessageId;
using model::NodeId;

StubbornSets::StubbornSets(GlobalSpace& space, const Conflicts& conflicts)
    : space_(space),
      conflicts_(conflicts),
      streams_(space.table().service().network().kind == model::NetworkKind::kStreams),
      nodes_(space.table().node_count()) {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    nodes_[n].places.resize(conflicts_.NumbersOf(NodeId(n)));
  }
}

std::optional<SlotSet> StubbornSets::Of(const GlobalState& state, std::span<const Move> moves) {
  std::optional<SlotSet> best;
  // What the graphs do not know conflicts with who knows what.
  size_max_ = Number(moves) ? moves.size() - 1 : 0;
  for (uint32_t first = 0; first < moves.size() && size_max_ > 0; ++first) {
    if (!Close(state, moves, first)) continue;
    best = chosen_;
    size_max_ = size_ - 1;
  }
  Forget(moves);
  return best;
}

// False if the graphs do not know one of them.
bool StubbornSets::Number(std::span<const Move> moves) {
  numbers_.clear();
  bool known = true;
  for (uint32_t place = 0; place < moves.size(); ++place) {
    numbers_.push_back(conflicts_.NumberOf(moves[place].node, moves[place].event));
    nodes_[moves[place].node.index()].places[numbers_.back()] = place + 1;
    known = known && numbers_.back() != 0;
  }
  return known;
}

void StubbornSets::Forget(std::span<const Move> moves) {
  for (uint32_t place = 0; place < moves.size(); ++place) {
    nodes_[moves[place].node.index()].places[numbers_[place]] = 0;
  }
  for (Node& node : nodes_) node.hopeless.Clear();
}

bool StubbornSets::Close(const GlobalState& state, std::span<const Move> moves, uint32_t first) {
  for (Node& node : nodes_) node.members.Clear();
  open_.clear();
  chosen_.Clear();
  size_ = 0;
  bool closed = Add(moves[first].node, numbers_[first]);
  while (closed && !open_.empty()) {
    const Member member = open_.back();
    open_.pop_back();
    const uint32_t place = nodes_[member.node.index()].places[member.number];
    if (place == 0) {
      closed = CloseOther(state, member);
      continue;
    }
    // Too large, but there may be smaller ones that have the first as well.
    if (++size_ > size_max_) return false;
    chosen_.Set(place - 1);
    closed = CloseEnabled(state, moves[place - 1]);
  }
  if (!closed) nodes_[moves[first].node.index()].hopeless.Set(numbers_[first]);
  return closed;
}

bool StubbornSets::Add(NodeId node, size_t number) {
  Node& own = nodes_[node.index()];
  if (own.hopeless.Test(number)) return false;
  if (own.members.Test(number)) return true;
  own.members.Set(number);
  open_.push_back({node, static_cast<uint32_t>(number)});
  return true;
}

bool StubbornSets::CloseEnabled(const GlobalState& state, const Move& move) {
  if (IsFault(move.event)) return false;
  const NodeId node = move.node;
  const SlotSet& conflicts = conflicts_.Of(node, state.state(node), move.event);
  if (conflicts.Test(Conflicts::kVisible)) return false;
  bool closed = true;
  conflicts.ForEach([&](size_t member) {
    if (!closed) return;
    if (!conflicts_.IsReceiver(member)) {
      closed = Add(node, member);
      return;
    }
    const NodeId receiver = conflicts_.ReceiverOf(member);
    closed = !conflicts_.MayLose(receiver, state.state(receiver)).Test(node.index());
  });
  return closed;
}

// What comes before an event that is not enabled. Actions and faults may always come back.
bool StubbornSets::CloseOther(const GlobalState& state, const Member& member) {
  const EventId event = conflicts_.EventOf(member.node, member.number);
  if (!event.is_deliver()) return false;
  if (!space_.table().Accepts(member.node, state.state(member.node))) return false;
  const NodeId sender = space_.table().sender(event.message());
  if (streams_) {
    // Whatever is at the head of that stream arrives before.
    for (const MessageId head :
         space_.mailboxes().Deliverable(member.node, state.mailbox(member.node))) {
      if (space_.table().sender(head) != sender) continue;
      const uint32_t number = conflicts_.NumberOf(member.node, EventId::Deliver(head));
      return number != 0 && Add(member.node, number);
    }
  }
  if (!conflicts_.MaySend(sender, state.state(sender)).Test(event.message().index())) return true;
  bool closed = true;
  conflicts_.SendersOf(event.message()).ForEach([&](size_t number) {
    closed = closed && Add(sender, number);
  });
  return closed;
}

}  // namespace foretell::search
