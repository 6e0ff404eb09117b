#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "foretell/model/budget.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::predictors {

// The processor time of the calling thread, from an origin of its own. Does not pass while others
// keep the machine busy.
model::Budget::Time ThreadTime();

// Turns of several threads, of which only some run at a time. Each has a turn for a slice of time,
// which is short at first and grows with what the thread has had; then it is somebody else's turn,
// always of who has had the least for its share. Nobody loses work: a thread waits in the middle of
// whatever it does, where it would have looked at the clock anyway (`Pass`).
//
// A slice is never more than an eighth of what its thread has had before, but for the first ones:
// so whoever needs a time T on its own, with one of n equal shares, is done after little more than
// n T / running_max. It is not less than a switch is worth, and not more than people notice.
//
// Members may begin later than others. Where there are not more threads than may run at a time
// nobody is late: a turn that nobody else wants is given to whoever waits. And where one that began
// at once ends, the next of those that are late takes its place.
class Turns {
 public:
  using Time = model::Budget::Time;
  static constexpr std::chrono::milliseconds kSliceMin{2};
  static constexpr std::chrono::milliseconds kSliceMax{25};

  struct Entry {
    uint32_t share = 1;
    // What those with the largest share have had before it is this member's turn.
    std::chrono::nanoseconds after{0};
  };
  // One member per entry, in the order in which they begin; `running_max` of them have a turn at a
  // time. `now` is a member's time; it is called by its thread, and not while anything is locked.
  // REQUIRES: shares are positive, `running_max` too.
  Turns(const std::vector<Entry>& entries, size_t running_max,
        std::function<Time()> now = ThreadTime);

  // Waits for the member's first turn. Every member begins and ends once, or only ends.
  void Begin(size_t member) ABSL_LOCKS_EXCLUDED(mutex_);
  // Called by a member whose turn it is, often. Lets others run if the slice is used up, and waits
  // for the next turn.
  void Pass(size_t member) ABSL_LOCKS_EXCLUDED(mutex_);
  // Called by a member whose turn it is: it will soon end with an answer. Until then it keeps its
  // turn, and everybody else waits, those that run from their next `Pass` on.
  void Conclude(size_t member) ABSL_LOCKS_EXCLUDED(mutex_);
  // Gives the turn back for good.
  void End(size_t member) ABSL_LOCKS_EXCLUDED(mutex_);

  // From now on nobody waits: the race is over, and all are to see that for themselves.
  void Open() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  enum class Phase : uint8_t { kWaits, kRuns, kEnded };
  struct Member {
    uint32_t share = 1;
    Phase phase = Phase::kWaits;
    std::chrono::nanoseconds behind{0};  // What it is counted to have had before it began.
    std::chrono::nanoseconds used{0};    // In all turns before this one.
    Time since{};                        // The beginning of this turn.
  };
  // Has had less for its share.
  static bool Before(const Member& a, const Member& b) {
    return (a.behind + a.used) * b.share < (b.behind + b.used) * a.share;
  }
  static std::chrono::nanoseconds SliceOf(const Member& member);
  void Wait(size_t member) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PromoteNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void GiveTurns() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The waiting member whose turn it is next; null if nobody waits.
  Member* Next() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const size_t running_max_;
  const std::function<Time()> now_;
  model::Mutex mutex_;
  model::ConditionVariable changed_;
  std::vector<Member> members_ ABSL_GUARDED_BY(mutex_);
  size_t running_ ABSL_GUARDED_BY(mutex_) = 0;
  std::optional<size_t> concludes_ ABSL_GUARDED_BY(mutex_);  // Who does, if anybody.
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace foretell::predictors
