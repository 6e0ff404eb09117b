#include "foretell/dir/ids/event_numbers.h"

namespace foretell::dir {

uint32_t EventNumbers::Number(const Entry& entry) {
  const model::MutexLock lock(mutex_);
  const auto [found, fresh] = numbers_.try_emplace(entry, static_cast<uint32_t>(entries_.size()));
  if (fresh) entries_.push_back(&found->first);
  return found->second;
}

EventNumbers::Entry EventNumbers::At(uint32_t number) const {
  const model::MutexLock lock(mutex_);
  return *entries_[number];
}

}  // namespace foretell::dir
