#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "foretell/model/sync/mutex.h"

namespace foretell::agent {

// Takes all vetoes back, at once, and keeps the agent from making new ones. Thrown by a file that
// exists, by a signal or by RPC; each of them alone is enough, and telemetry is not asked.
class KillSwitch {
 public:
  struct Options {
    // May be empty. Also counts if one cannot tell whether it exists.
    std::string file;
    std::function<bool()> signalled;  // True iff a signal asks for it. May be empty.
    std::chrono::milliseconds poll{100};
    // Called on the switch's own thread, never at the same time twice, with the reason; empty when
    // the switch is released again.
    std::function<void(const std::string& reason)> changed;
  };
  explicit KillSwitch(Options options);
  ~KillSwitch();
  KillSwitch(const KillSwitch&) = delete;
  KillSwitch& operator=(const KillSwitch&) = delete;

  // By RPC. Thread-safe; returns before `changed` is called.
  void Throw(const std::string& reason);
  void Release();

  // Why it is thrown; empty if it is not. Thread-safe.
  std::string reason() const;

 private:
  void Watch() ABSL_LOCKS_EXCLUDED(mutex_);
  std::string Look() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Options options_;
  mutable model::Mutex mutex_;
  model::ConditionVariable wake_;
  bool stop_ ABSL_GUARDED_BY(mutex_) = false;
  std::string by_rpc_ ABSL_GUARDED_BY(mutex_);
  std::string reason_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace foretell::agent
