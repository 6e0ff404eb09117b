#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "foretell/model/sync/mutex.h"

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
  model::Mutex mutex_;
  std::function<void(const std::string&)> write_ ABSL_GUARDED_BY(mutex_);  // Empty: closed.
  const std::function<Time()> now_;
  std::optional<Time> last_ ABSL_GUARDED_BY(mutex_);
  uint64_t left_out_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace foretell::agent
