#include "foretell/dir/explore/continuation_cache.h"

#include <utility>

namespace foretell::dir {
namespace {

// Short prefixes are followed by something else in almost every environment.
constexpr uint32_t kEntriesMax = 8;  // Of one prefix.

}  // namespace

void ContinuationCache::Enter(const Environment& environment) {
  arrivals_.clear();
  for (const Arrival& arrival : environment.arrivals) {
    TransitionFilter needs;
    for (const Signature& need : arrival.needs) needs.Add(need);
    arrivals_.push_back({needs, arrival.identity});
  }
}

// The sum of the arrivals that may be ready once these transitions have happened.
Signature ContinuationCache::ReadyArrivals(const TransitionFilter& transitions) const {
  Signature sum;
  for (const FilteredArrival& arrival : arrivals_) {
    if (transitions.MayInclude(arrival.needs)) sum += arrival.identity;
  }
  return sum;
}

const ContinuationCache::Entry* ContinuationCache::Find(uint32_t prefix) const {
  if (prefix >= chains_.size()) return nullptr;
  for (uint32_t index = chains_[prefix].latest; index != kNone; index = entries_[index].next) {
    const Entry& entry = entries_[index];
    if (ReadyArrivals(entry.transitions) == entry.arrivals) return &entry;
  }
  return nullptr;
}

void ContinuationCache::Add(uint32_t prefix, const TransitionFilter& transitions,
                            std::span<const TraceCounts::value_type> counts) {
  if (chains_.size() <= prefix) chains_.resize(prefix + 1);
  Chain& chain = chains_[prefix];
  auto index = static_cast<uint32_t>(entries_.size());
  if (chain.count < kEntriesMax) {
    entries_.emplace_back();
    ++chain.count;
  } else {
    index = TakeOldest(chain);
  }
  Entry& entry = entries_[index];
  entry.transitions = transitions;
  entry.arrivals = ReadyArrivals(transitions);
  entry.counts.assign(counts.begin(), counts.end());
  entry.next = std::exchange(chain.latest, index);
}

// Takes the last entry of a chain of several.
uint32_t ContinuationCache::TakeOldest(const Chain& chain) {
  uint32_t before = chain.latest;
  while (entries_[entries_[before].next].next != kNone) before = entries_[before].next;
  return std::exchange(entries_[before].next, kNone);
}

}  // namespace foretell::dir
