#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "foretell/model/sync/mutex.h"

namespace foretell::agent {

// A few threads and a short queue. Whoever finds the queue full waits, so that connections pile up
// in the kernel, which has a limit of its own.
class BoundedTasks {
 public:
  BoundedTasks(size_t threads, size_t queue_max);
  // Shutdown must have been called.
  ~BoundedTasks() = default;
  BoundedTasks(const BoundedTasks&) = delete;
  BoundedTasks& operator=(const BoundedTasks&) = delete;

  void Enqueue(std::function<void()> task);
  // Runs what is queued, and ends.
  void Shutdown();

 private:
  void Work() ABSL_LOCKS_EXCLUDED(mutex_);

  const size_t queue_max_;
  model::Mutex mutex_;
  model::ConditionVariable changed_;
  std::deque<std::function<void()>> queue_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace foretell::agent
