#include "dir/job_engine.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
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

 private:
  std::deque<Work> queue_;
};

class ThreadEngine final : public JobEngine {
 public:
  explicit ThreadEngine(uint32_t threads) {
    for (uint32_t t = 0; t < threads; ++t) workers_.emplace_back([this] { RunWorker(); });
  }
  ~ThreadEngine() override {
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
      queue_.push_back({lane, std::move(work)});
      ++outstanding_;
    }
    work_or_stop_.notify_one();
  }

  bool Next() override {
    Result result;
    {
      std::unique_lock lock(mutex_);
      if (outstanding_ == 0) return false;
      result_.wait(lock, [this] { return !results_.empty(); });
      result = std::move(results_.front());
      results_.pop_front();
      --outstanding_;
    }
    result();
    return true;
  }

 private:
  struct Job {
    uint32_t lane;
    Work work;
  };

  void RunWorker() {
    std::unique_lock lock(mutex_);
    for (;;) {
      std::deque<Job>::iterator job;
      work_or_stop_.wait(lock, [&] { return stopping_ || FindJob(job); });
      if (stopping_) return;
      const uint32_t lane = job->lane;
      const Work work = std::move(job->work);
      queue_.erase(job);
      busy_.insert(lane);
      lock.unlock();
      Result result = work();
      lock.lock();
      busy_.erase(lane);
      results_.push_back(std::move(result));
      result_.notify_one();
      work_or_stop_.notify_all();  // The lane is free again.
    }
  }

  // The oldest job of a lane that is not busy.
  bool FindJob(std::deque<Job>::iterator& job) {
    for (job = queue_.begin(); job != queue_.end(); ++job) {
      if (!busy_.contains(job->lane)) return true;
    }
    return false;
  }

  std::mutex mutex_;
  std::condition_variable work_or_stop_;
  std::condition_variable result_;
  std::deque<Job> queue_;
  std::set<uint32_t> busy_;  // Lanes.
  std::deque<Result> results_;
  uint64_t outstanding_ = 0;  // Submitted, and their results not yet run.
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace

std::unique_ptr<JobEngine> MakeInlineEngine() { return std::make_unique<InlineEngine>(); }

std::unique_ptr<JobEngine> MakeThreadEngine(uint32_t threads) {
  return std::make_unique<ThreadEngine>(threads);
}

}  // namespace foretell::dir
