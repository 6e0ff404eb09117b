#include "foretell/dir/explore/job_engine.h"

#include <deque>
#include <exception>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "foretell/model/sync/mutex.h"

namespace foretell::dir {
namespace {

class InlineEngine final : public JobEngine {
 public:
  bool parallel() const override { return false; }
  void Submit(uint32_t, Work work) override { queue_.push_back(std::move(work)); }
  bool Next() override {
    if (queue_.empty()) return false;
    const Work work = std::move(queue_.front());
    queue_.pop_front();
    work()();
    return true;
  }
  void Abandon() override { queue_.clear(); }

 private:
  std::deque<Work> queue_;
};

class ThreadEngine final : public JobEngine {
 public:
  explicit ThreadEngine(uint32_t threads) {
    try {
      for (uint32_t t = 0; t < threads; ++t) workers_.emplace_back([this] { RunWorker(); });
    } catch (const std::system_error&) {
      // The machine has no more threads to give; those that there are, or the driver's, do the
      // work.
    }
  }
  ~ThreadEngine() override {
    Abandon();
    {
      const model::MutexLock lock(mutex_);
      stopping_ = true;
    }
    work_or_stop_.NotifyAll();
    for (std::thread& worker : workers_) worker.join();
  }

  bool parallel() const override { return true; }
  void Submit(uint32_t lane, Work work) override {
    {
      const model::MutexLock lock(mutex_);
      jobs_.push_back({lane, std::move(work), {}, Phase::kWaiting});
    }
    work_or_stop_.NotifyOne();
  }

  bool Next() override {
    model::MutexLock lock(mutex_);
    if (jobs_.empty()) return false;
    if (workers_.empty()) RunOne(jobs_.front());
    while (jobs_.front().phase != Phase::kDone) ended_.Wait(mutex_);
    const Result result = std::move(jobs_.front().result);
    jobs_.pop_front();
    lock.Unlock();
    result();
    return true;
  }

  void Abandon() override {
    const model::MutexLock lock(mutex_);
    for (Job& job : jobs_) {
      if (job.phase == Phase::kWaiting) job.phase = Phase::kDone;
    }
    while (!busy_.empty()) ended_.Wait(mutex_);
    jobs_.clear();
  }

 private:
  enum class Phase : uint8_t { kWaiting, kRunning, kDone };
  struct Job {
    uint32_t lane = 0;
    Work work;
    Result result;
    Phase phase = Phase::kWaiting;
  };

  void RunWorker() ABSL_LOCKS_EXCLUDED(mutex_) {
    const model::MutexLock lock(mutex_);
    for (;;) {
      Job* job = nullptr;
      while (!stopping_ && (job = FindJob()) == nullptr) work_or_stop_.Wait(mutex_);
      if (stopping_) return;
      RunOne(*job);
      ended_.NotifyOne();
      work_or_stop_.NotifyAll();  // The lane is free again.
    }
  }

  // Jobs stay where they are while others come and go at both ends.
  void RunOne(Job& job) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    job.phase = Phase::kRunning;
    busy_.insert(job.lane);
    mutex_.Unlock();
    Result result = Guarded(job.work);
    mutex_.Lock();
    busy_.erase(job.lane);
    job.result = std::move(result);
    job.phase = Phase::kDone;
  }

  // Whoever calls it counts on getting its mutex back.
  static Result Guarded(const Work& work) noexcept {
    try {
      return work();
    } catch (...) {
      return [thrown = std::current_exception()] { std::rethrow_exception(thrown); };
    }
  }

  // The oldest job of a lane that is not busy.
  Job* FindJob() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    for (Job& job : jobs_) {
      if (job.phase == Phase::kWaiting && !busy_.contains(job.lane)) return &job;
    }
    return nullptr;
  }

  model::Mutex mutex_;
  model::ConditionVariable work_or_stop_;
  model::ConditionVariable ended_;
  // Whose results were not run yet, in the order of submission.
  std::deque<Job> jobs_ ABSL_GUARDED_BY(mutex_);
  std::set<uint32_t> busy_ ABSL_GUARDED_BY(mutex_);  // Lanes.
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> workers_;
};

}  // namespace

std::unique_ptr<JobEngine> MakeInlineEngine() { return std::make_unique<InlineEngine>(); }

std::unique_ptr<JobEngine> MakeThreadEngine(uint32_t threads) {
  return std::make_unique<ThreadEngine>(threads);
}

}  // namespace foretell::dir
