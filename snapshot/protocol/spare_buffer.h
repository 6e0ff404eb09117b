#pragma once

#include <string>
#include <utility>

#include "foretell/model/sync/mutex.h"

namespace foretell::snapshot {

// The memory of one state that nobody needs any more, for the next one. Fresh memory of that size
// costs more than what is written into it. Thread-safe.
class SpareBuffer {
 public:
  void Give(std::string buffer) {
    const model::MutexLock lock(mutex_);
    buffer_.swap(buffer);
  }
  std::string Take() {
    const model::MutexLock lock(mutex_);
    return std::exchange(buffer_, std::string());
  }

 private:
  model::Mutex mutex_;
  std::string buffer_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace foretell::snapshot
