#include "dir/recall.h"

#include <utility>

namespace foretell::dir {
namespace {

// Short prefixes are followed by something else in almost every environment.
constexpr uint32_t kMemoriesMax = 8;

}  // namespace

void Recall::Enter(const Environment& environment) {
  arrivals_.clear();
  for (const Arrival& arrival : environment.arrivals) {
    Shown needs;
    for (const Signature& need : arrival.needs) needs.Add(need);
    arrivals_.emplace_back(needs, arrival.identity);
  }
}

Signature Recall::Allowed(const Shown& shown) const {
  Signature sum;
  for (const auto& [needs, identity] : arrivals_) {
    if (shown.MayInclude(needs)) sum += identity;
  }
  return sum;
}

const Recall::Memory* Recall::Find(uint32_t prefix) const {
  if (prefix >= memories_.size()) return nullptr;
  for (uint32_t index = memories_[prefix].latest; index != kNone; index = all_[index].next) {
    const Memory& memory = all_[index];
    if (Allowed(memory.shown) == memory.allowed) return &memory;
  }
  return nullptr;
}

void Recall::Keep(uint32_t prefix, const Shown& shown, std::span<const Counts::value_type> counts) {
  if (memories_.size() <= prefix) memories_.resize(prefix + 1);
  Memories& memories = memories_[prefix];
  auto index = static_cast<uint32_t>(all_.size());
  if (memories.count < kMemoriesMax) {
    all_.emplace_back();
    ++memories.count;
  } else {
    index = TakeOldest(memories);
  }
  Memory& memory = all_[index];
  memory.shown = shown;
  memory.allowed = Allowed(shown);
  memory.counts.assign(counts.begin(), counts.end());
  memory.next = std::exchange(memories.latest, index);
}

// The end of a chain of several.
uint32_t Recall::TakeOldest(const Memories& memories) {
  uint32_t before = memories.latest;
  while (all_[all_[before].next].next != kNone) before = all_[before].next;
  return std::exchange(all_[before].next, kNone);
}

}  // namespace foretell::dir
