#include "foretell/agent/sidecar/pacing.h"

#include <algorithm>

namespace foretell::agent {
namespace {

using Seconds = std::chrono::duration<double>;

// Never less: a search that is cut off at once says nothing, and costs as much as its set-up.
constexpr std::chrono::milliseconds kBudgetMin{5};
constexpr uint64_t kMemoryMin = uint64_t{16} << 20;

}  // namespace

Pacing::Time Pacing::Next(bool hinted) const {
  // The debt is paid by waiting: in this time the share would have allowed what was used.
  const auto wait = std::chrono::duration_cast<Nanos>(Seconds(debt_) / options_.cpu_max);
  const Time rested = finished_ + wait;
  const Time due = started_ + (hinted ? options_.hint_gap : options_.period);
  // Rounds by the clock go on whatever happened before; it is their budget that shrinks.
  return hinted ? std::min(std::max(due, rested), started_ + options_.period) : due;
}

Pacing::Nanos Pacing::budget() const {
  // What the share allows in one period, all threads together, less what is owed.
  const Seconds allowed = Seconds(options_.period) * options_.cpu_max - Seconds(debt_);
  const auto each = std::chrono::duration_cast<Nanos>(allowed / std::max(options_.threads, 1u));
  return std::clamp<Nanos>(each, kBudgetMin, std::max<Nanos>(options_.budget, kBudgetMin));
}

uint64_t Pacing::MemoryFor(uint64_t resident_bytes) const {
  const uint64_t left =
      options_.memory_max > resident_bytes ? options_.memory_max - resident_bytes : 0;
  return std::max(left, kMemoryMin);
}

void Pacing::Finished(Time now, Nanos cpu) {
  // A first call has no past to compare with.
  const Nanos elapsed = finished_ == Time{} ? now - started_ : now - finished_;
  const auto earned = std::chrono::duration_cast<Nanos>(Seconds(elapsed) * options_.cpu_max);
  const auto most = std::chrono::duration_cast<Nanos>(Seconds(options_.period) * options_.cpu_max);
  // Neither savings nor debts grow without end: what was long ago does not count.
  debt_ = std::clamp<Nanos>(debt_ + cpu - earned, Nanos(0), most);
  finished_ = now;
}

}  // namespace foretell::agent
