#pragma once

#include <mutex>
#include <string>
#include <utility>

namespace foretell::snapshot {

// The memory of one state that nobody needs any more, for the next one. Fresh memory of that size
// costs more than what is written into it. Thread-safe.
class SpareBuffer {
 public:
  void Give(std::string buffer) {
    const std::lock_guard lock(mutex_);
    buffer_.swap(buffer);
  }
  std::string Take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(buffer_, std::string());
  }

 private:
  std::mutex mutex_;
  std::string buffer_;
};

}  // namespace foretell::snapshot
