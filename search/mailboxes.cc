#include "foretell/search/mailboxes.h"

#include <algorithm>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::search {

using model::MessageId;
using model::NodeId;
using model::PairKey;

Mailboxes::Mailboxes(const model::TransitionTable& table, Copies copies)
    : table_(table),
      streams_(table.service().network().kind == model::NetworkKind::kStreams),
      per_send_(streams_ ? 1 : 1 + table.service().network().duplicates_max),
      copies_(streams_ ? Copies{} : copies),
      nodes_(table.node_count()) {
  for (uint32_t n = 0; n < table.node_count(); ++n) Intern(NodeId(n), {});
}

std::span<const MessageId> Mailboxes::Content(NodeId node, MailboxId mailbox) const {
  const auto numbers = nodes_[node.index()].contents.at(mailbox.value());
  return {reinterpret_cast<const MessageId*>(numbers.data()), numbers.size()};
}

MailboxId Mailboxes::Intern(NodeId node, std::vector<MessageId> messages) {
  // Canonical: by sender and then age on streams, sorted otherwise.
  std::stable_sort(messages.begin(), messages.end(), [this](MessageId a, MessageId b) {
    return streams_ ? table_.sender(a) < table_.sender(b) : a < b;
  });
  Node& own = nodes_[node.index()];
  const MailboxId id(
      own.contents.Intern({reinterpret_cast<const uint32_t*>(messages.data()), messages.size()}));
  if (id.index() < own.deliverable.size()) return id;
  const auto last = std::unique(messages.begin(), messages.end(), [this](MessageId a, MessageId b) {
    return streams_ ? table_.sender(a) == table_.sender(b) : a == b;
  });
  messages.erase(last, messages.end());
  own.deliverable.push_back(arena_.Add(messages));
  return id;
}

MailboxId Mailboxes::Remove(NodeId node, MailboxId mailbox, MessageId message) {
  Node& own = nodes_[node.index()];
  const uint64_t key = PairKey(mailbox.value(), message.value());
  if (const auto found = own.removed.find(key); found != own.removed.end()) return found->second;
  const auto content = Content(node, mailbox);
  std::vector<MessageId> rest(content.begin(), content.end());
  // On streams the first occurrence is the head of its channel, or the caller broke the contract.
  const auto place = std::find(rest.begin(), rest.end(), message);
  FORETELL_CHECK(place != rest.end());
  rest.erase(place);
  const MailboxId result = Intern(node, std::move(rest));
  own.removed.emplace(key, result);
  return result;
}

MailboxId Mailboxes::Add(NodeId node, MailboxId mailbox, uint32_t list) {
  Node& own = nodes_[node.index()];
  const uint64_t key = PairKey(mailbox.value(), list);
  if (const auto found = own.added.find(key); found != own.added.end()) {
    capped_ = capped_ || found->second.capped;
    return found->second.mailbox;
  }
  const auto content = Content(node, mailbox);
  std::vector<MessageId> all(content.begin(), content.end());
  bool capped = false;
  for (const MessageId message : table_.Messages(list)) {
    uint32_t copies = per_send_;
    if (copies_.max != UINT32_MAX) {
      const auto there = static_cast<uint32_t>(std::count(all.begin(), all.end(), message));
      copies = std::min(copies, copies_.max - std::min(copies_.max, there));
      capped = capped || copies < per_send_;
    }
    all.insert(all.end(), copies, message);
  }
  const MailboxId result = Intern(node, std::move(all));
  own.added.emplace(key, Added{result, capped});
  capped_ = capped_ || capped;
  return result;
}

MailboxId Mailboxes::Keep(NodeId node, MailboxId mailbox, const LiveMessages& live, uint32_t set) {
  if (mailbox == MailboxId(0) || set == LiveMessages::kEverything) return mailbox;
  Node& own = nodes_[node.index()];
  const uint64_t key = PairKey(mailbox.value(), set);
  if (const auto found = own.kept.find(key); found != own.kept.end()) return found->second;
  const auto content = Content(node, mailbox);
  std::vector<MessageId> rest(content.begin(), content.end());
  std::erase_if(rest, [&](MessageId message) { return !live.IsLive(node, set, message); });
  const MailboxId result = Intern(node, std::move(rest));
  own.kept.emplace(key, result);
  return result;
}

MailboxId Mailboxes::Break(NodeId node, MailboxId mailbox, NodeId peer) {
  const auto content = Content(node, mailbox);
  std::vector<MessageId> rest(content.begin(), content.end());
  std::erase_if(rest, [&](MessageId message) { return table_.sender(message) == peer; });
  return Intern(node, std::move(rest));
}

uint64_t Mailboxes::bytes() const {
  uint64_t total = arena_.bytes();
  for (const Node& node : nodes_) {
    using Entry = std::pair<uint64_t, Added>;
    total += node.contents.bytes() + node.deliverable.capacity() * sizeof(node.deliverable[0]) +
             (node.removed.capacity() + node.added.capacity() + node.kept.capacity()) *
                 (sizeof(Entry) + 1);
  }
  return total;
}

}  // namespace foretell::search
