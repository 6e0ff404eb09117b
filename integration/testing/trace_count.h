#pragma once

// The number of executions of a small service if the order of steps at different nodes does not
// count: complete traces, where any two steps of one node depend on each other (DEMETER section 2).

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "foretell/model/check.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::integration::testing {

// Sleep sets: of the orders of a trace only one gets to its end, so that ends are traces. What
// follows depends on state and sleep set alone and is counted once.
class TraceCount {
 public:
  // REQUIRES: every execution of `system`, which outlives this, ends.
  explicit TraceCount(const model::System& system) : system_(system) {}

  uint64_t Run() { return From(system_.start, {}); }

 private:
  using Sleep = std::set<model::PathStep>;

  uint64_t From(const model::SystemCut& cut, const Sleep& asleep) {
    const model::PlainSystem system(*system_.service, cut);
    const auto [known, is_new] = counts_.try_emplace({system.Canonical(), asleep}, 0);
    if (!is_new) return known->second;
    const model::Path enabled = system.Enabled();
    uint64_t count = enabled.empty() ? 1 : 0;
    Sleep done = asleep;
    for (const model::PathStep& step : enabled) {
      if (asleep.contains(step)) continue;
      model::PlainSystem after = system;
      FORETELL_CHECK(after.Apply(step).ok());
      Sleep independent = done;
      std::erase_if(independent, [&](const auto& other) { return other.node == step.node; });
      count += From(after.state(), independent);
      done.insert(step);
    }
    return known->second = count;
  }

  const model::System& system_;
  std::map<std::pair<model::SystemCut, Sleep>, uint64_t> counts_;
};

}  // namespace foretell::integration::testing
