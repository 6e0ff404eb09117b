#include "agent/interrupt.h"

#include <csignal>

namespace foretell::agent {
namespace {

// A signal handler reaches nothing but globals.
volatile std::sig_atomic_t interrupted = 0;

}  // namespace

void CatchInterrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

bool Interrupted() { return interrupted != 0; }

}  // namespace foretell::agent
