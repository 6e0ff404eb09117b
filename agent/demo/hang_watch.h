#pragma once

#include <chrono>

#include "foretell/agent/demo/child_process.h"

namespace foretell::agent {

// Tells a process that hangs from one that gets little processor: only the first is given up. A
// limit on time alone would say the same of both, and a busy machine would fail a run.
class HangWatch {
 public:
  using Millis = std::chrono::milliseconds;
  struct Limits {
    Millis time = std::chrono::minutes(5);
    Millis work = std::chrono::seconds(1);  // Less than this much processor in it is a hang.
  };
  // `process` outlives the watch.
  explicit HangWatch(const ChildProcess& process) : HangWatch(process, Limits{}) {}
  HangWatch(const ChildProcess& process, Limits limits);

  // Whether the process has hardly worked for so long, since the last time this was found out.
  bool Hangs();

 private:
  void Begin();

  const ChildProcess& process_;
  Limits limits_;
  Millis worked_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace foretell::agent
