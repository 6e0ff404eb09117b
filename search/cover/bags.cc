#include "foretell/search/cover/bags.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::search {

using model::MessageId;

namespace {

using Entry = Bags::Entry;
static_assert(sizeof(Entry) == 2 * sizeof(uint32_t));

// The place of `message` in entries, or where it belongs.
template <class Entries>
auto PlaceOf(Entries& entries, MessageId message) {
  return std::lower_bound(entries.begin(), entries.end(), message,
                          [](const Entry& entry, MessageId m) { return entry.message < m; });
}

void Add(std::vector<Entry>& entries, MessageId message, uint32_t copies) {
  const auto place = PlaceOf(entries, message);
  if (place == entries.end() || place->message != message) {
    entries.insert(place, {message, copies});
  } else if (place->count != Bags::kOmega) {
    FORETELL_CHECK(place->count < Bags::kOmega - copies);
    place->count += copies;
  }
}

void Take(std::vector<Entry>& entries, MessageId message) {
  const auto place = PlaceOf(entries, message);
  FORETELL_CHECK(place != entries.end());
  FORETELL_CHECK(place->message == message);
  if (place->count == Bags::kOmega) return;
  if (--place->count == 0) entries.erase(place);
}

}  // namespace

Bags::Bags(const model::TransitionTable& table)
    : table_(table), copies_per_send_(1 + table.service().network().duplicates_max) {
  FORETELL_CHECK(table.service().network().kind == model::NetworkKind::kDatagrams);
  InternEntries({});
}

BagId Bags::InternEntries(std::span<const Entry> entries) {
  const BagId id(
      contents_.Intern({reinterpret_cast<const uint32_t*>(entries.data()), 2 * entries.size()}));
  if (id.index() < masks_.size()) return id;
  uint64_t mask = 0;
  for (const Entry& entry : entries) mask |= uint64_t{1} << (entry.message.value() % 64);
  masks_.push_back(mask);
  return id;
}

BagId Bags::Intern(std::span<const MessageId> messages) {
  entries_.clear();
  for (const MessageId message : messages) Add(entries_, message, 1);
  return InternEntries(entries_);
}

std::span<const Entry> Bags::Content(BagId bag) const {
  const auto numbers = contents_.at(bag.value());
  return {reinterpret_cast<const Entry*>(numbers.data()), numbers.size() / 2};
}

uint32_t Bags::Count(BagId bag, MessageId message) const {
  const auto content = Content(bag);
  const auto place = PlaceOf(content, message);
  return place == content.end() || place->message != message ? 0 : place->count;
}

BagId Bags::After(BagId bag, model::EventId event, model::SendsId sends) {
  const auto content = Content(bag);
  entries_.assign(content.begin(), content.end());
  if (event.is_deliver()) Take(entries_, event.message());
  for (const model::Batch& batch : table_.Batches(sends)) {
    for (const MessageId message : table_.Messages(batch.list)) {
      Add(entries_, message, copies_per_send_);
    }
  }
  return InternEntries(entries_);
}

bool Bags::Within(BagId bag, BagId larger) const {
  if (bag == larger) return true;
  if ((masks_[bag.index()] & ~masks_[larger.index()]) != 0) return false;
  const auto all = Content(larger);
  auto at = all.begin();
  for (const Entry& entry : Content(bag)) {
    while (at != all.end() && at->message < entry.message) ++at;
    if (at == all.end() || at->message != entry.message || at->count < entry.count) return false;
  }
  return true;
}

BagId Bags::Gains(BagId base, BagId grown) {
  entries_.clear();
  for (const Entry& entry : Content(grown)) {
    if (entry.count > Count(base, entry.message)) entries_.push_back({entry.message, kOmega});
  }
  return InternEntries(entries_);
}

BagId Bags::AnyNumber(std::span<const MessageId> messages) {
  entries_.clear();
  for (const MessageId message : messages) entries_.push_back({message, kOmega});
  return InternEntries(entries_);
}

BagId Bags::Only(BagId bag, std::span<const MessageId> messages) {
  entries_.clear();
  for (const MessageId message : messages) {
    const uint32_t count = Count(bag, message);
    if (count > 0) entries_.push_back({message, count});
  }
  return InternEntries(entries_);
}

BagId Bags::Join(BagId a, BagId b) {
  const auto content = Content(a);
  entries_.assign(content.begin(), content.end());
  for (const Entry& entry : Content(b)) {
    const auto place = PlaceOf(entries_, entry.message);
    if (place == entries_.end() || place->message != entry.message) {
      entries_.insert(place, entry);
    } else {
      place->count = std::max(place->count, entry.count);
    }
  }
  return InternEntries(entries_);
}

uint64_t Bags::bytes() const { return contents_.bytes() + masks_.capacity() * sizeof(uint64_t); }

}  // namespace foretell::search
