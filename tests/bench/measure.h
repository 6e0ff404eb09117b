#pragma once

// An engine on a scenario, with a clock beside it.

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/agent/check/selection.h"
#include "foretell/model/budget.h"
#include "foretell/model/report.h"
#include "foretell/tests/bench/figures.h"

namespace foretell::bench {

// Of this process so far: what a busy machine does not change much.
Seconds ProcessorTime();

// What the one who runs the benchmark chose.
struct Plan {
  uint64_t repeats = 20;         // At most; a run is repeated only while that takes a few seconds.
  uint64_t steps = 100'000'000;  // Of the unreduced search of two-proposals.
  bool full = false;             // That search runs to its end instead.
};

// Repeats `once` as the plan says and returns its results, at least one.
template <class Once>
auto Repeat(const Plan& plan, Once once) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<decltype(once())> results;
  do {
    results.push_back(once());
  } while (results.size() < plan.repeats &&
           std::chrono::steady_clock::now() - begin < std::chrono::seconds(3));
  return results;
}

struct Measured {
  std::string engine;
  model::Report report;
  Seconds time{};  // Wall clock of one whole check; the median of `runs`.
  Seconds cpu{};   // Processor time of the same run.
  uint64_t runs = 0;
};

// Builds the services and engines once and measures checks with them.
class Bench {
 public:
  explicit Bench(Plan plan);

  const Plan& plan() const { return plan_; }
  agent::Selection Paxos(const std::string& scenario, const std::string& bug = "") const {
    return Select("paxos", scenario, bug);
  }
  // REQUIRES: these exist.
  agent::Selection Select(const std::string& service, const std::string& scenario,
                          const std::string& bug = "") const;
  // A check without limits, repeated.
  Measured Check(const agent::Selection& selection, const std::string& engine,
                 const predictors::EngineOptions& options = {}) const;
  // A check of at most `steps_max` steps, once.
  Measured CheckOnce(const agent::Selection& selection, const std::string& engine,
                     uint64_t steps_max = UINT64_MAX,
                     const predictors::EngineOptions& options = {}) const;

 private:
  const Plan plan_;
  const agent::Parts parts_;
};

}  // namespace foretell::bench
