#include "foretell/agent/demo/hang_watch.h"

namespace foretell::agent {

HangWatch::HangWatch(const ChildProcess& process, Limits limits)
    : process_(process), limits_(limits) {
  Begin();
}

bool HangWatch::Hangs() {
  if (std::chrono::steady_clock::now() < deadline_) return false;
  const Millis before = worked_;
  Begin();
  return worked_ - before < limits_.work;
}

void HangWatch::Begin() {
  worked_ = process_.ProcessorTime();
  deadline_ = std::chrono::steady_clock::now() + limits_.time;
}

}  // namespace foretell::agent
