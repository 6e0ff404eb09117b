#include "foretell/agent/sidecar/bell.h"

namespace foretell::agent {

void Bell::Ring() {
  {
    const model::MutexLock lock(mutex_);
    ++rung_;
  }
  rings_.NotifyAll();
}

uint64_t Bell::rung() const {
  const model::MutexLock lock(mutex_);
  return rung_;
}

void Bell::WaitUntil(uint64_t known, Time end) {
  const model::MutexLock lock(mutex_);
  while (rung_ <= known && rings_.WaitUntil(mutex_, end)) {
  }
}

}  // namespace foretell::agent
