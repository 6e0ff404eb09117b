#pragma once

// Checks of a family with the obvious search, as most of its tests make them.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "foretell/integration/testing/naive_bfs.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration::testing {

// More than any of the scenarios that tests explore have.
inline constexpr uint64_t kStatesMax = 200'000;

// The correct protocol from `scenario`: all of it, and nothing found.
inline BfsResult ExploreCorrect(const model::ServiceFamily& family, const std::string& scenario) {
  const model::System system = MakeOrDie(family, scenario);
  BfsResult result = NaiveBfs(system).Run(kStatesMax);
  EXPECT_TRUE(result.complete) << scenario;
  EXPECT_TRUE(result.violations.empty()) << scenario;
  return result;
}

// The length of a shortest path on which `bug` breaks `invariant`; it replays. 0 if there is none.
inline size_t DepthOf(const model::ServiceFamily& family, const std::string& bug,
                      const std::string& scenario, const std::string& invariant) {
  const model::System system = MakeOrDie(family, scenario, bug);
  BfsResult result = NaiveBfs(system).Run(kStatesMax, /*stop_at_violation=*/true);
  if (!result.violations.contains(invariant)) return 0;
  model::Path path = result.violations[invariant];
  const auto violation = model::Confirm(*system.service, system.start, invariant, path);
  EXPECT_TRUE(violation.ok()) << violation.status();
  return path.size();
}

// Runs `scenario` always taking the first (or last) step that is possible, to its end.
template <class State>
std::vector<State> Finish(const model::ServiceFamily& family, const std::string& scenario,
                          bool first) {
  const model::System system = MakeOrDie(family, scenario);
  model::PlainSystem plain(*system.service, system.start);
  for (auto enabled = plain.Enabled(); !enabled.empty(); enabled = plain.Enabled()) {
    EXPECT_TRUE(plain.Apply(first ? enabled.front() : enabled.back()).ok());
  }
  std::vector<State> states;
  for (const model::NodeState& node : plain.state().nodes) {
    states.push_back(*model::Decode<State>(node.body));
  }
  return states;
}

}  // namespace foretell::integration::testing
