#include "foretell/agent/console/interrupt.h"

#include <csignal>

namespace foretell::agent {
namespace {

// A signal handler reaches nothing but globals.
volatile std::sig_atomic_t interrupted = 0;

bool CatchInterrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  return sigaction(SIGINT, &action, nullptr) == 0;
}

}  // namespace

bool Interrupted() {
  [[maybe_unused]] static const bool caught = CatchInterrupt();
  return InterruptSeen();
}

bool InterruptSeen() { return interrupted != 0; }

}  // namespace foretell::agent
