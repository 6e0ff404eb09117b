#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

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
  void Work();

  const size_t queue_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;  // Guarded by mutex_.
  bool closed_ = false;                      // Guarded by mutex_.
  std::vector<std::thread> threads_;
};

}  // namespace foretell::agent
