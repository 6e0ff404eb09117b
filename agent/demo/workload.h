#pragma once

#include <chrono>
#include <cstdint>
#include <random>
#include <string>

#include "foretell/agent/demo/cluster.h"

namespace foretell::agent {

// An application that calls a service now and then, like that of LMC section 5.5: a random node, a
// random pause. The same seed makes the same calls, whatever the nodes answer.
class Workload {
 public:
  struct Options {
    uint64_t seed = 1;
    std::string call;  // The name of the call: "Propose".
    std::chrono::milliseconds pause_min{200};
    std::chrono::milliseconds pause_max{400};
  };
  explicit Workload(Options options) : options_(std::move(options)), random_(options_.seed) {}

  struct Call {
    size_t node = 0;
    std::string answer;  // "ok ...", "refused ...", "error ...", or that the node is not there.
  };
  // Makes the next call.
  Call Next(Cluster& cluster);
  // The time to wait before the one after.
  std::chrono::milliseconds pause() const { return pause_; }
  uint32_t calls() const { return calls_; }

 private:
  Options options_;
  std::mt19937_64 random_;
  std::chrono::milliseconds pause_{0};
  uint32_t calls_ = 0;
};

}  // namespace foretell::agent
