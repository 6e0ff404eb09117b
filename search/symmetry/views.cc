#include "foretell/search/symmetry/views.h"

#include <optional>
#include <utility>

namespace foretell::search {

using model::MessageId;
using model::NodeId;

namespace {

// Orbits of things that name many nodes, each in a way of its own, are as large as the group. What
// is beyond this has numbers of its own: its nodes are then told apart worse, which costs states
// and is never wrong.
constexpr size_t kOrbitMax = 5'040;
constexpr uint32_t kNowhere = UINT32_MAX;

// So that sums of few numbers differ wherever their parts do, but for a chance of one in 2^64.
uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

Views::Views(GlobalSpace& space, Exchanges& exchanges, const NodeClasses& classes)
    : space_(space),
      exchanges_(exchanges),
      streams_(space.table().service().network().kind == model::NetworkKind::kStreams),
      messages_(space.table().node_count()),
      rows_of_(space.table().node_count() + 1),
      rows_of_mailboxes_(space.table().node_count()) {
  for (const std::vector<NodeId>& nodes : classes) {
    for (size_t i = 1; i < nodes.size(); ++i) {
      first_member_.push_back(static_cast<uint32_t>(member_count_ + i - 1));
    }
    member_count_ += nodes.size();
  }
}

uint32_t& Views::Known(Thing thing) {
  std::vector<uint32_t>& known = rows_of_[thing.place];
  if (known.size() <= thing.id) known.resize(thing.id + 1 + thing.id / 2, 0);
  return known[thing.id];
}

Views::Thing Views::Image(size_t exchange, Thing thing) {
  if (thing.place == messages_) {
    return {messages_, exchanges_.Message(exchange, MessageId(thing.id)).value()};
  }
  const NodeId node(thing.place);
  return {exchanges_.at(exchange)(node).value(),
          exchanges_.State(exchange, node, model::StateId(thing.id)).value()};
}

uint32_t Views::NewRow() {
  rows_.resize(rows_.size() + member_count_, 0);
  return static_cast<uint32_t>(rows_.size() / member_count_ - 1);
}

// Finds the orbit of a thing, and the orbits of its pairs with members. Returns the thing's row.
uint32_t Views::Close(Thing thing) {
  const uint32_t first = NewRow();
  Known(thing) = first + 1;
  std::vector<Thing> orbit = {thing};
  std::vector<uint32_t> edges;  // By place in the orbit and exchange: where it leads, from 0.
  for (size_t i = 0; i < orbit.size(); ++i) {
    for (size_t x = 0; x < exchanges_.count(); ++x) {
      const Thing image = Image(x, orbit[i]);
      if (Known(image) == 0 && orbit.size() < kOrbitMax) {
        Known(image) = NewRow() + 1;
        orbit.push_back(image);
      }
      const bool within = Known(image) > first;
      edges.push_back(within ? Known(image) - 1 - first : kNowhere);
    }
  }
  Number(first, edges);
  return first;
}

void Views::Number(uint32_t first, std::span<const uint32_t> edges) {
  const size_t count = edges.size() / exchanges_.count();
  std::vector<std::pair<uint32_t, uint32_t>> open;
  const auto at = [&](size_t i, size_t member) -> uint64_t& {
    return rows_[(first + i) * member_count_ + member];
  };
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t m = 0; m < member_count_; ++m) {
      if (at(i, m) != 0) continue;
      const uint64_t number = Mix(++numbers_);
      at(i, m) = number;
      open.assign(1, {i, m});
      while (!open.empty()) {
        const auto [from, member] = open.back();
        open.pop_back();
        for (size_t x = 0; x < exchanges_.count(); ++x) {
          const uint32_t to = edges[from * exchanges_.count() + x];
          const uint32_t a = first_member_[x];
          const uint32_t other = member == a ? a + 1 : member == a + 1 ? a : member;
          if (to == kNowhere || at(to, other) != 0) continue;
          at(to, other) = number;
          open.emplace_back(to, other);
        }
      }
    }
  }
}

void Views::AddMailbox(NodeId node, MailboxId mailbox, std::span<uint64_t> sums) {
  const std::vector<uint32_t>& known = rows_of_mailboxes_[node.index()];
  const bool there = mailbox.index() < known.size() && known[mailbox.index()] != 0;
  Add(there ? known[mailbox.index()] - 1 : SumUp(node, mailbox), sums);
}

uint32_t Views::SumUp(NodeId node, MailboxId mailbox) {
  std::vector<uint64_t> sums(member_count_, 0);
  uint64_t place = 0;  // In its stream.
  std::optional<NodeId> sender;
  for (const MessageId message : space_.mailboxes().Content(node, mailbox)) {
    const uint32_t row = RowOf({messages_, message.value()});
    place = space_.table().sender(message) == sender ? place + 1 : 0;
    sender = space_.table().sender(message);
    for (size_t m = 0; m < member_count_; ++m) {
      const uint64_t number = rows_[row * member_count_ + m];
      sums[m] += streams_ ? Mix(number + place) : number;
    }
  }
  const uint32_t row = NewRow();
  for (size_t m = 0; m < member_count_; ++m) rows_[row * member_count_ + m] = sums[m];
  std::vector<uint32_t>& known = rows_of_mailboxes_[node.index()];
  if (known.size() <= mailbox.index()) known.resize(mailbox.index() + 1 + mailbox.index() / 2, 0);
  known[mailbox.index()] = row + 1;
  return row;
}

uint64_t Views::bytes() const {
  uint64_t total = rows_.capacity() * sizeof(uint64_t);
  for (const auto* known : {&rows_of_, &rows_of_mailboxes_}) {
    for (const std::vector<uint32_t>& ids : *known) total += ids.capacity() * sizeof(uint32_t);
  }
  return total;
}

}  // namespace foretell::search
