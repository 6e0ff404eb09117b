#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace foretell::agent {

// Lets one line a minute through and counts the others: an endpoint that is down fails again and
// again, and always in the same way. Thread-safe.
class RareLines {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::minutes kPeriod{1};

  // REQUIRES: neither is empty.
  RareLines(std::function<void(const std::string&)> write, std::function<Time()> now);

  void Write(const std::string& line);
  // After it has returned, `write` is not called any more.
  void Close();

 private:
  std::mutex mutex_;
  std::function<void(const std::string&)> write_;  // Guarded by mutex_; empty: closed.
  const std::function<Time()> now_;
  std::optional<Time> last_;
  uint64_t left_out_ = 0;
};

}  // namespace foretell::agent
