#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "foretell/snapshot/node/endpoint.h"
#include "foretell/snapshot/protocol/checkpoint.h"

namespace foretell::snapshot {

// A node that answers from a thread of its own, as a live host does.
class FakeEndpoint : public NodeEndpoint {
 public:
  enum class Manner { kAnswer, kHold, kDrop, kPruned };

  explicit FakeEndpoint(uint32_t node, uint32_t node_count = 3) {
    info_.service = "Fake";
    info_.scenario = "three";
    info_.version = "7";
    info_.node = model::NodeId(node);
    info_.node_count = node_count;
    state_.body = "state of node " + std::to_string(node);
    thread_ = std::thread([this] { Work(); });
  }
  ~FakeEndpoint() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  // Contents of the next checkpoints, and the treatment of requests for them.
  void SetBody(std::string body) {
    const std::lock_guard lock(mutex_);
    state_.body = std::move(body);
  }
  void SetManner(Manner manner) {
    const std::lock_guard lock(mutex_);
    manner_ = manner;
  }
  // The next `count` requests are answered together, in one turn of the caller's loop.
  void AnswerTogether(size_t count) {
    const std::lock_guard lock(mutex_);
    together_ = count;
  }
  // Waits until somebody listens, then gives a hint from this thread.
  void Hint() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return interesting_ != nullptr; });
    const std::function<void()> interesting = interesting_;
    lock.unlock();
    interesting();
  }
  void AwaitNoListener() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return interesting_ == nullptr; });
  }
  // Waits until as many requests are held.
  void AwaitHeld(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_.size() >= count; });
  }
  void AnswerHeld() {
    std::deque<CheckpointDone> held;
    {
      const std::lock_guard lock(mutex_);
      held.swap(held_);
    }
    for (const CheckpointDone& done : held) done(absl::NotFoundError("too late"));
  }
  std::vector<Filter> filters() const {
    const std::lock_guard lock(mutex_);
    return filters_;
  }
  SafetyCut cut() const {
    const std::lock_guard lock(mutex_);
    return cut_;
  }

  NodeInfo Info() const override { return info_; }
  void RequestCheckpoint(uint64_t number, CheckpointDone done) override {
    if (Gather(number, done)) return;
    Post([this, number, done = std::move(done)] { GiveCheckpoint(number, done); });
  }
  void SetFilters(uint64_t, std::vector<Filter> filters,
                  std::function<void(absl::Status)> done) override {
    Post([this, filters = std::move(filters), done = std::move(done)] {
      const std::lock_guard lock(mutex_);
      filters_ = filters;
      done(absl::OkStatus());
    });
  }
  void SetSafetyCut(uint64_t, SafetyCut cut, std::function<void(absl::Status)> done) override {
    Post([this, cut = std::move(cut), done = std::move(done)] {
      const std::lock_guard lock(mutex_);
      cut_ = cut;
      done(cut.number == 13 ? absl::OutOfRangeError("13 brings bad luck") : absl::OkStatus());
    });
  }
  void Counters(std::function<void(NodeCounters)> done) override {
    Post([done = std::move(done)] {
      NodeCounters counters;
      counters.events = 42;
      counters.hits.push_back({"d-1", Mode::kShadow, 3});
      done(counters);
    });
  }
  void OnInteresting(std::function<void()> changed) override {
    const std::lock_guard lock(mutex_);
    interesting_ = std::move(changed);
    changed_.notify_all();
  }

 private:
  void GiveCheckpoint(uint64_t number, const CheckpointDone& done) {
    const std::lock_guard lock(mutex_);
    switch (manner_) {
      case Manner::kAnswer: return done(Make(number));
      case Manner::kHold:
        held_.push_back(done);
        changed_.notify_all();
        return;
      case Manner::kDrop: return;
      case Manner::kPruned: return done(absl::NotFoundError("the oldest is 17"));
    }
  }
  // REQUIRES: mutex_ is locked.
  std::shared_ptr<const Checkpoint> Make(uint64_t number) const {
    auto checkpoint = std::make_shared<Checkpoint>();
    checkpoint->node = info_.node;
    checkpoint->number = number;
    checkpoint->state = state_;
    checkpoint->sent.push_back({model::NodeId(1), 5, 1, {{1, "hello"}}});
    checkpoint->received.push_back({model::NodeId(2), 9, 3, {2}});
    return checkpoint;
  }
  // True iff the request is one of those that are answered together.
  bool Gather(uint64_t number, const CheckpointDone& done) {
    const std::lock_guard lock(mutex_);
    if (together_ == 0) return false;
    held_.push_back(done);
    if (held_.size() < together_) return true;
    for (const CheckpointDone& each : held_) each(Make(number));
    held_.clear();
    together_ = 0;
    return true;
  }
  void Post(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_all();
  }
  void Work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
      if (stopping_) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  NodeInfo info_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::deque<std::function<void()>> tasks_;
  Manner manner_ = Manner::kAnswer;
  model::NodeState state_;
  std::deque<CheckpointDone> held_;
  size_t together_ = 0;
  std::vector<Filter> filters_;
  SafetyCut cut_;
  std::function<void()> interesting_;
  std::thread thread_;
};

}  // namespace foretell::snapshot
