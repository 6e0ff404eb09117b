#include "foretell/dir/explore/job_engine.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

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
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    work_or_stop_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  bool parallel() const override { return true; }
  void Submit(uint32_t lane, Work work) override {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back({lane, std::move(work), {}, Phase::kWaiting});
    }
    work_or_stop_.notify_one();
  }

  bool Next() override {
    std::unique_lock lock(mutex_);
    if (jobs_.empty()) return false;
    if (workers_.empty()) RunOne(jobs_.front(), lock);
    ended_.wait(lock, [this] { return jobs_.front().phase == Phase::kDone; });
    const Result result = std::move(jobs_.front().result);
    jobs_.pop_front();
    lock.unlock();
    result();
    return true;
  }

  void Abandon() override {
    std::unique_lock lock(mutex_);
    for (Job& job : jobs_) {
      if (job.phase == Phase::kWaiting) job.phase = Phase::kDone;
    }
    ended_.wait(lock, [this] { return busy_.empty(); });
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

  void RunWorker() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Job* job = nullptr;
      work_or_stop_.wait(lock, [&] { return stopping_ || (job = FindJob()) != nullptr; });
      if (stopping_) return;
      RunOne(*job, lock);
      ended_.notify_one();
      work_or_stop_.notify_all();  // The lane is free again.
    }
  }

  // Jobs stay where they are while others come and go at both ends.
  void RunOne(Job& job, std::unique_lock<std::mutex>& lock) {
    job.phase = Phase::kRunning;
    busy_.insert(job.lane);
    lock.unlock();
    Result result = Guarded(job.work);
    lock.lock();
    busy_.erase(job.lane);
    job.result = std::move(result);
    job.phase = Phase::kDone;
  }

  static Result Guarded(const Work& work) {
    try {
      return work();
    } catch (...) {
      return [thrown = std::current_exception()] { std::rethrow_exception(thrown); };
    }
  }

  // The oldest job of a lane that is not busy.
  Job* FindJob() {
    for (Job& job : jobs_) {
      if (job.phase == Phase::kWaiting && !busy_.contains(job.lane)) return &job;
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::condition_variable work_or_stop_;
  std::condition_variable ended_;
  std::deque<Job> jobs_;     // Whose results were not run yet, in the order of submission.
  std::set<uint32_t> busy_;  // Lanes.
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace

std::unique_ptr<JobEngine> MakeInlineEngine() { return std::make_unique<InlineEngine>(); }

std::unique_ptr<JobEngine> MakeThreadEngine(uint32_t threads) {
  return std::make_unique<ThreadEngine>(threads);
}

}  // namespace foretell::dir
