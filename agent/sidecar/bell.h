#pragma once

#include <chrono>
#include <cstdint>

#include "foretell/model/sync/mutex.h"

namespace foretell::agent {

// What nodes ring when they have something interesting. Rings are counted and none is lost, so that
// a round can say which of them it answers. Thread-safe.
class Bell {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void Ring();
  // How often it was rung so far.
  uint64_t rung() const;
  // Waits until it was rung more than `known` times, but no longer than to `end`.
  void WaitUntil(uint64_t known, Time end);

 private:
  mutable model::Mutex mutex_;
  model::ConditionVariable rings_;
  uint64_t rung_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace foretell::agent
