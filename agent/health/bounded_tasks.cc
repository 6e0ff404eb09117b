#include "foretell/agent/health/bounded_tasks.h"

#include <utility>

#include "foretell/model/check.h"

namespace foretell::agent {

BoundedTasks::BoundedTasks(size_t threads, size_t queue_max) : queue_max_(queue_max) {
  FORETELL_CHECK(threads > 0);
  FORETELL_CHECK(queue_max > 0);
  for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

void BoundedTasks::Enqueue(std::function<void()> task) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || queue_.size() < queue_max_; });
  queue_.push_back(std::move(task));
  changed_.notify_all();
}

void BoundedTasks::Shutdown() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void BoundedTasks::Work() {
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::function<void()> task = std::move(queue_.front());
    queue_.pop_front();
    changed_.notify_all();
    lock.unlock();
    task();
  }
}

}  // namespace foretell::agent
