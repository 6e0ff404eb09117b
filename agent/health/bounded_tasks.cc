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
  const model::MutexLock lock(mutex_);
  while (!closed_ && queue_.size() >= queue_max_) changed_.Wait(mutex_);
  queue_.push_back(std::move(task));
  changed_.NotifyAll();
}

void BoundedTasks::Shutdown() {
  {
    const model::MutexLock lock(mutex_);
    closed_ = true;
    changed_.NotifyAll();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void BoundedTasks::Work() {
  while (true) {
    model::MutexLock lock(mutex_);
    while (!closed_ && queue_.empty()) changed_.Wait(mutex_);
    if (queue_.empty()) return;
    const std::function<void()> task = std::move(queue_.front());
    queue_.pop_front();
    changed_.NotifyAll();
    lock.Unlock();
    task();
  }
}

}  // namespace foretell::agent
