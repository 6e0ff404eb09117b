#pragma once

// Interface reduction and the plain search on one system, with a clock beside them.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "foretell/dir/explore/global_explorer.h"
#include "foretell/dir/explore/local_explorer.h"
#include "foretell/model/family.h"
#include "foretell/tests/bench/figures.h"

namespace foretell::bench {

// Of one search. A step adds a prefix of traces to a tree that stays in memory.
inline constexpr uint64_t kStepsMax = 25'000'000;
inline constexpr uint64_t kBytesMax = uint64_t{4} << 30;

struct DirRun {
  bool complete = false;
  dir::Tally tally;  // Of the part that was explored.
  Seconds time{};    // All local explorers and the global explorer; counting is not included.
};

struct PlainRun {
  bool complete = false;
  uint64_t traces = 0;  // Of the part that was explored.
  Seconds time{};
};

// A system, how it is divided, and which of its events depend on each other.
class DirSubject {
 public:
  DirSubject(model::System system, dir::Components components, dir::DependencyMode mode);

  // With `checker` embedded, within `budget`, by the engine.
  DirRun Reduced(dir::Interface interface, dir::Checker checker, Seconds budget,
                 dir::JobEngine& jobs);
  // The same in this thread.
  DirRun Reduced(dir::Interface interface, dir::Checker checker, Seconds budget);
  // What `checker` does without interface reduction: the whole system is one component.
  PlainRun Plain(dir::Checker checker, Seconds budget);

  // How long it took to find out which events depend on each other.
  Seconds dependency_time() const { return dependency_time_; }

 private:
  const model::System system_;
  const dir::Components components_;
  const dir::Components whole_;
  dir::EventNumbers event_numbers_;
  Seconds dependency_time_{};
  const dir::Dependency dependency_;
};

// A service of integration/. REQUIRES: it exists.
model::System SystemOf(const std::string& service, const std::string& scenario);
// Every node on its own.
dir::Components SingleNodes(const model::System& system);
// Philosophers, or whatever has consecutive nodes, in levels[0] components of levels[1] parts of
// ...
dir::Components Consecutive(const model::System& system, std::span<const uint32_t> levels);

// How many traces a ring of philosophers has.
double RingTraces(uint32_t philosophers, dir::DependencyMode mode);

// A search that takes less than kShort is measured in so many samples, of which the best counts.
inline constexpr int kSamples = 5;
inline constexpr Seconds kShort(1);

// Repeats what takes microseconds until it can be measured; returns the time of one run.
template <class Once>
Seconds Sample(Once once) {
  constexpr Seconds kLeast(0.05);
  Seconds sum{};
  uint64_t runs = 0;
  for (; sum < kLeast; ++runs) sum += once();
  return sum / static_cast<double>(runs);
}

const char* ModeName(dir::DependencyMode mode);
// Counts beyond are not exact.
inline constexpr double kExactBelow = 9e15;
// Whether a count is not what it must be.
inline bool IsOff(double count, double expected) {
  return count < kExactBelow ? count != expected : std::abs(count / expected - 1) > 1e-12;
}
// "4,321", or "> 4,321" if there may be more; kNoFigure if none was counted so far.
std::string CountSoFar(double count, bool complete);
// The same for times.
std::string TimeUntil(Seconds time, bool complete);

}  // namespace foretell::bench
