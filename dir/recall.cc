#include "dir/recall.h"

#include <algorithm>

namespace foretell::dir {
namespace {

// Short prefixes are followed by something else in almost every environment.
constexpr size_t kMemoriesMax = 8;

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
  const auto found = memories_.find(prefix);
  if (found == memories_.end()) return nullptr;
  for (const Memory& memory : found->second.all) {
    if (Allowed(memory.shown) == memory.allowed) return &memory;
  }
  return nullptr;
}

void Recall::Keep(uint32_t prefix, const Shown& shown, std::span<const Counts::value_type> counts) {
  Memories& memories = memories_[prefix];
  Memory memory{shown, Allowed(shown), Counts(counts.begin(), counts.end())};
  if (memories.all.size() < kMemoriesMax) {
    memories.all.push_back(std::move(memory));
    return;
  }
  memories.all[memories.oldest] = std::move(memory);
  memories.oldest = (memories.oldest + 1) % kMemoriesMax;
}

}  // namespace foretell::dir
