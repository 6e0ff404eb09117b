#pragma once

#include <csignal>
#include <ctime>

namespace foretell::snapshot {

// Writing beyond the file size limit of the process raises SIGXFSZ, whose default is to end it.
// The signal goes to the writing thread: while this lives it is held back, and then taken away.
class NoSizeSignal {
 public:
  NoSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~NoSizeSignal() {
    const timespec at_once{};
    while (sigtimedwait(&signal_, nullptr, &at_once) == SIGXFSZ) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSizeSignal(const NoSizeSignal&) = delete;
  NoSizeSignal& operator=(const NoSizeSignal&) = delete;

 private:
  sigset_t signal_;
  sigset_t before_;
};

}  // namespace foretell::snapshot
