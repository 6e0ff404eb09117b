#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace foretell::agent {

// Takes all vetoes back, at once, and keeps the agent from making new ones. Thrown by a file that
// exists, by a signal or by RPC; each of them alone is enough, and telemetry is not asked.
class KillSwitch {
 public:
  struct Options {
    // May be empty. Also counts if one cannot tell whether it exists.
    std::string file;
    std::function<bool()> signalled;  // Whether a signal asks for it. May be empty.
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
  void Watch();
  std::string Look() const;

  Options options_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::string by_rpc_;
  std::string reason_;
  std::thread thread_;
};

}  // namespace foretell::agent
