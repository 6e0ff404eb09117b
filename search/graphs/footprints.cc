#include "foretell/search/graphs/footprints.h"

#include <algorithm>

namespace foretell::search {

using model::MessageId;
using model::NodeId;

Footprints::Footprints(const model::TransitionTable& table)
    : table_(table),
      sent_by_(table.node_count()),
      can_send_(table.node_count()),
      fitting_(table.node_count()) {
  for (auto& sets : can_send_) sets.emplace_back();
}

Footprints::Info& Footprints::info(MessageId message) {
  if (infos_.size() <= message.index()) infos_.resize(message.index() + 1);
  return infos_[message.index()];
}

uint32_t Footprints::Slot(MessageId message, uint32_t copy) {
  std::vector<uint32_t>& slots = info(message).slots;
  while (slots.size() <= copy) {
    const auto slot = static_cast<uint32_t>(slot_message_.size());
    slots.push_back(slot);
    slot_message_.push_back(message);
    sent_by_[table_.sender(message).index()].Set(slot);
  }
  return slots[copy];
}

uint32_t Footprints::Copies(const SlotSet& slots, MessageId message) const {
  if (infos_.size() <= message.index()) return 0;
  uint32_t copies = 0;
  for (const uint32_t slot : infos_[message.index()].slots) copies += slots.Test(slot) ? 1 : 0;
  return copies;
}

void Footprints::Given(MessageId message) {
  Info& own = info(message);
  own.given = true;
  own.footprint.Clear();
}

void Footprints::Produced(MessageId message, const SlotSet& consumed, const SlotSet& sent) {
  Info& own = info(message);
  if (own.given) return;
  const auto covers = [](const Production& small, const SlotSet& c, const SlotSet& s) {
    return small.consumed.IsSubsetOf(c) && small.sent.IsSubsetOf(s);
  };
  for (const Production& production : own.productions) {
    if (covers(production, consumed, sent)) return;
  }
  std::erase_if(own.productions, [&](const Production& production) {
    return consumed.IsSubsetOf(production.consumed) && sent.IsSubsetOf(production.sent);
  });
  const bool first = own.productions.empty() && own.footprint.empty();
  own.productions.push_back({consumed, sent});
  if (first) {
    own.footprint = Intersection(own);
  } else {
    changed_ = true;
  }
}

void Footprints::CanSend(NodeId node, const SlotSet& sent) {
  std::vector<SlotSet>& sets = can_send_[node.index()];
  for (const SlotSet& set : sets) {
    if (sent.IsSubsetOf(set)) return;
  }
  std::erase_if(sets, [&](const SlotSet& set) { return set.IsSubsetOf(sent); });
  sets.push_back(sent);
  changed_ = true;
  current_ = false;
}

SlotSet Footprints::Known(const SlotSet& consumed) const {
  SlotSet known;
  consumed.ForEach(
      [&](size_t slot) { known.UnionWith(infos_[slot_message_[slot].index()].footprint); });
  return known;
}

SlotSet Footprints::Intersection(const Info& own) const {
  SlotSet common;
  for (size_t i = 0; i < own.productions.size(); ++i) {
    SlotSet known = Known(own.productions[i].consumed);
    known.UnionWith(own.productions[i].sent);
    if (i == 0) {
      common = known;
    } else {
      common.IntersectWith(known);
    }
  }
  return common;
}

void Footprints::Look(NodeId node, uint32_t path, const SlotSet& consumed, const SlotSet& sent) {
  current_ = current_ && node_ == node && path_ == path;
  node_ = node;
  path_ = path;
  consumed_ = &consumed;
  sent_ = &sent;
}

// What is known asks as much of the others whatever arrives next.
void Footprints::LookAgain() {
  const SlotSet known = Known(*consumed_);
  contradiction_ = false;
  for (uint32_t n = 0; n < can_send_.size(); ++n) {
    fitting_[n].clear();
    if (NodeId(n) == node_) continue;
    for (const SlotSet& set : can_send_[n]) {
      if (known.IsSubsetWithin(sent_by_[n], set)) fitting_[n].push_back(&set);
    }
    contradiction_ |= fitting_[n].empty();
  }
  current_ = true;
}

bool Footprints::CanArrive(MessageId message) {
  if (!current_) LookAgain();
  if (contradiction_) return false;
  const SlotSet& needed = infos_[message.index()].footprint;
  // What this node must have sent itself is known exactly.
  if (!needed.IsSubsetWithin(sent_by_[node_.index()], *sent_)) return false;
  // What anybody else must have sent has to fit one path of that node.
  for (uint32_t n = 0; n < can_send_.size(); ++n) {
    if (NodeId(n) == node_) continue;
    const auto fits = [&](const SlotSet* set) { return needed.IsSubsetWithin(sent_by_[n], *set); };
    if (!std::any_of(fitting_[n].begin(), fitting_[n].end(), fits)) return false;
  }
  return true;
}

bool Footprints::Refresh() {
  if (!changed_) return false;
  changed_ = false;
  current_ = false;
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (Info& own : infos_) {
      if (own.given || own.productions.empty()) continue;
      SlotSet footprint = Intersection(own);
      if (footprint == own.footprint) continue;
      own.footprint = std::move(footprint);
      shrunk = true;
    }
  }
  return true;
}

uint64_t Footprints::bytes() const {
  uint64_t total = slot_message_.capacity() * sizeof(MessageId);
  for (const Info& own : infos_) {
    total += sizeof(Info) + own.productions.capacity() * sizeof(Production);
    for (const Production& production : own.productions) {
      total += production.consumed.heap_bytes() + production.sent.heap_bytes();
    }
  }
  for (const auto& sets : can_send_) total += sets.capacity() * sizeof(SlotSet);
  return total;
}

}  // namespace foretell::search
