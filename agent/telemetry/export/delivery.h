#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "foretell/agent/telemetry/export/settings.h"
#include "foretell/agent/telemetry/signals/registry.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::agent {

// The books of one signal: what waits for its exporter, and what is lost on the way. Thread-safe.
class Delivery {
 public:
  // Signals that are given the same `turns` export one after the other, because their exporters
  // share something. Null: whenever they like.
  Delivery(Signal signal, size_t queue_max, std::shared_ptr<Registry> registry,
           std::shared_ptr<model::Mutex> turns = nullptr);

  // An item wants to be queued. False: there is no room, and it has been counted as dropped.
  bool Enter();
  // `count` items have left the queue.
  void Leave(uint64_t count);
  void Drop(uint64_t count);

  // Runs `work`, which exports, when it is this signal's turn.
  template <class Work>
  auto InTurn(const Work& work) {
    if (turns_ == nullptr) return work();
    const model::MutexLock turn(*turns_);
    return work();
  }

  // After this, exporters are to fail at once. Calls what was given to OnClose.
  void Close();
  bool closed() const { return closed_.load(); }
  // `cancel` ends an export that is under way. Called at once if closed already; replaces an
  // earlier one, null removes it.
  void OnClose(std::function<void()> cancel);

  uint64_t queued() const { return queued_.load(); }
  Signal signal() const { return signal_; }

 private:
  const Signal signal_;
  const uint64_t queue_max_;
  const std::shared_ptr<Registry> registry_;
  const std::shared_ptr<model::Mutex> turns_;
  std::atomic<uint64_t> queued_{0};
  std::atomic<bool> closed_{false};
  model::Mutex mutex_;
  std::function<void()> cancel_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace foretell::agent
