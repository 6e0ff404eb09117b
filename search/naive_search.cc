#include "foretell/search/naive_search.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "foretell/model/check.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::search {
namespace {

using model::Path;
using model::PathStep;
using model::PlainSystem;
using model::SystemCut;

// How a state was first reached. Map nodes stay where they are, so a pointer names a state.
struct Arrival;
using Visited = std::map<SystemCut, Arrival>;
struct Arrival {
  const Visited::value_type* from = nullptr;  // Null for the start.
  PathStep step;
};

Path PathTo(const Visited::value_type* state) {
  Path path;
  for (; state->second.from != nullptr; state = state->second.from) {
    path.push_back(state->second.step);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

std::set<std::string> NaiveResult::ViolatedNames() const {
  std::set<std::string> names;
  for (const auto& [name, path] : violated) names.insert(name);
  return names;
}

NaiveResult NaiveSearch(const model::Service& service, const SystemCut& start,
                        uint64_t states_max) {
  NaiveResult result;
  Visited visited;
  std::deque<const Visited::value_type*> frontier;
  frontier.push_back(&*visited.emplace(PlainSystem(service, start).Canonical(), Arrival{}).first);
  while (!frontier.empty() && visited.size() <= states_max) {
    const Visited::value_type* const state = frontier.front();
    frontier.pop_front();
    const PlainSystem here(service, state->first);
    for (const std::string& name : here.Violated()) {
      if (!result.violated.contains(name)) result.violated.emplace(name, PathTo(state));
    }
    const std::vector<PathStep> enabled = here.Enabled();
    if (enabled.empty()) result.terminals.insert(state->first);
    result.transitions += enabled.size();
    for (const PathStep& step : enabled) {
      PlainSystem next = here;
      FORETELL_CHECK(next.Apply(step).ok());
      const auto [entry, fresh] = visited.emplace(next.Canonical(), Arrival{state, step});
      if (fresh) frontier.push_back(&*entry);
    }
  }
  result.states = visited.size();
  result.finished = frontier.empty() && visited.size() <= states_max;
  return result;
}

}  // namespace foretell::search
