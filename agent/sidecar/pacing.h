#pragma once

#include <chrono>
#include <cstdint>

namespace foretell::agent {

// When rounds start and what they may spend, so that the agent stays below its share of the
// machine. Pure; one thread at a time.
class Pacing {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Nanos = std::chrono::nanoseconds;
  struct Options {
    std::chrono::milliseconds period{1000};
    std::chrono::milliseconds hint_gap{20};
    std::chrono::milliseconds budget{500};
    double cpu_max = 0.5;  // Of one core.
    uint32_t threads = 1;  // That a round's search uses.
    uint64_t memory_max = uint64_t{1} << 30;
  };
  explicit Pacing(Options options) : options_(options) {}

  // When the next round is to start: a period after the last one started, or earlier if a node has
  // something interesting. Never so early that the CPU time of the last rounds exceeds the share.
  Time Next(bool hinted) const;
  // The time that the next round's search may take.
  Nanos budget() const;
  // The bytes that it may hold, given what the process holds already.
  uint64_t MemoryFor(uint64_t resident_bytes) const;

  void Started(Time now) { started_ = now; }
  // `cpu` is what the whole process has used since the last call.
  void Finished(Time now, Nanos cpu);

 private:
  Options options_;
  Time started_{};
  Time finished_{};
  Nanos debt_{0};  // CPU time used beyond the share so far.
};

}  // namespace foretell::agent
