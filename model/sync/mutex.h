#pragma once

// Locks whose rules Clang checks while it compiles (-Wthread-safety): std::mutex of libstdc++ says
// nothing about what it guards. Which member is guarded by which mutex, and which function wants it
// held, is said with the macros of absl/base/thread_annotations.h; for GCC they are empty.

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "absl/base/thread_annotations.h"

namespace foretell::model {

class ABSL_LOCKABLE Mutex {
 public:
  // Mostly by a MutexLock.
  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  friend class ConditionVariable;
  std::mutex mutex_;
};

// Holds a mutex to the end of its scope, but for the time between Unlock and Lock.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() {
    if (held_) mutex_.Unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void Unlock() ABSL_UNLOCK_FUNCTION() {
    held_ = false;
    mutex_.Unlock();
  }
  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    mutex_.Lock();
    held_ = true;
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

// Waits in loops (`while (!ready_) changed_.Wait(mutex_);`) instead of taking a predicate: Clang
// would not know that whoever calls it holds the mutex.
class ConditionVariable {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void Wait(Mutex& mutex) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  // False if it returns because it is `end`.
  bool WaitUntil(Mutex& mutex, Time end) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    const std::cv_status status = condition_.wait_until(lock, end);
    lock.release();
    return status == std::cv_status::no_timeout;
  }
  bool WaitFor(Mutex& mutex, std::chrono::nanoseconds most) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    return WaitUntil(mutex, std::chrono::steady_clock::now() + most);
  }

  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace foretell::model
