#include "foretell/predictors/turns.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::predictors {

model::Budget::Time ThreadTime() {
  timespec time = {};
  FORETELL_CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0);
  return model::Budget::Time{} + std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

Turns::Turns(const std::vector<Entry>& entries, size_t running_max, std::function<Time()> now)
    : running_max_(running_max), now_(std::move(now)) {
  FORETELL_CHECK(running_max_ > 0);
  uint32_t largest = 1;
  for (const Entry& entry : entries) largest = std::max(largest, entry.share);
  const model::MutexLock lock(mutex_);
  for (const Entry& entry : entries) {
    FORETELL_CHECK(entry.share > 0);
    members_.push_back({.share = entry.share, .behind = entry.after * entry.share / largest});
  }
  // Before anybody is there: who has the first turns does not depend on which thread is quick.
  GiveTurns();
}

void Turns::Begin(size_t member) {
  {
    const model::MutexLock lock(mutex_);
    Wait(member);
  }
  const Time now = now_();
  const model::MutexLock lock(mutex_);
  members_[member].since = now;
}

void Turns::Pass(size_t member) {
  const Time now = now_();
  {
    const model::MutexLock lock(mutex_);
    Member& mine = members_[member];
    const std::chrono::nanoseconds had = now - mine.since;
    if (open_ || concludes_ == member) return;
    if (!concludes_ && had < SliceOf(mine)) return;
    mine.used += had;
    mine.since = now;
    const Member* const next = Next();
    if (!concludes_ && (next == nullptr || Before(mine, *next))) return;
    mine.phase = Phase::kWaits;
    --running_;
    GiveTurns();
    Wait(member);
  }
  const Time again = now_();
  const model::MutexLock lock(mutex_);
  members_[member].since = again;
}

void Turns::Conclude(size_t member) {
  const model::MutexLock lock(mutex_);
  if (!concludes_) concludes_ = member;
}

void Turns::End(size_t member) {
  const model::MutexLock lock(mutex_);
  if (concludes_ == member) concludes_.reset();
  Member& mine = members_[member];
  FORETELL_CHECK(mine.phase != Phase::kEnded);
  if (mine.phase == Phase::kRuns) --running_;
  mine.phase = Phase::kEnded;
  if (mine.behind.count() == 0) PromoteNext();
  GiveTurns();
}

void Turns::PromoteNext() {
  const auto late = std::find_if(members_.begin(), members_.end(), [](const Member& member) {
    return member.phase == Phase::kWaits && member.behind.count() > 0;
  });
  if (late != members_.end()) late->behind = std::chrono::nanoseconds(0);
}

void Turns::Open() {
  const model::MutexLock lock(mutex_);
  open_ = true;
  changed_.NotifyAll();
}

std::chrono::nanoseconds Turns::SliceOf(const Member& member) {
  return std::clamp<std::chrono::nanoseconds>(member.used / 8, kSliceMin, kSliceMax);
}

void Turns::Wait(size_t member) {
  while (!open_ && members_[member].phase != Phase::kRuns) changed_.Wait(mutex_);
}

void Turns::GiveTurns() {
  while (running_ < running_max_ && !concludes_) {
    Member* const next = Next();
    if (next == nullptr) break;
    next->phase = Phase::kRuns;
    ++running_;
  }
  changed_.NotifyAll();
}

Turns::Member* Turns::Next() {
  Member* next = nullptr;
  for (Member& member : members_) {
    if (member.phase != Phase::kWaits) continue;
    if (next == nullptr || Before(member, *next)) next = &member;
  }
  return next;
}

}  // namespace foretell::predictors
