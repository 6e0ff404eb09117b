#include "foretell/agent/sidecar/signals.h"

#include <csignal>

namespace foretell::agent {
namespace {

// A signal handler can reach nothing else.
volatile std::sig_atomic_t stop_wanted = 0;
volatile std::sig_atomic_t kill_wanted = 0;
volatile std::sig_atomic_t hung_up = 0;

void OnSignal(int signal) {
  if (signal == SIGUSR1) {
    kill_wanted = 1;
  } else if (signal == SIGUSR2) {
    kill_wanted = 0;
  } else if (signal == SIGHUP) {
    hung_up = 1;
  } else {
    stop_wanted = 1;
  }
}

constexpr int kSignals[] = {SIGTERM, SIGUSR1, SIGUSR2, SIGHUP};

}  // namespace

AgentSignals::AgentSignals() {
  stop_wanted = 0;
  kill_wanted = 0;
  hung_up = 0;
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  for (const int signal : kSignals) sigaction(signal, &action, nullptr);
  // A reader of our output that went away is no reason to die.
  std::signal(SIGPIPE, SIG_IGN);
}

AgentSignals::~AgentSignals() {
  for (const int signal : kSignals) std::signal(signal, SIG_DFL);
}

bool AgentSignals::stop() const { return stop_wanted != 0; }
bool AgentSignals::kill() const { return kill_wanted != 0; }
bool AgentSignals::TakeHangup() {
  if (hung_up == 0) return false;
  hung_up = 0;
  return true;
}

}  // namespace foretell::agent
