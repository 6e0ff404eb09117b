#include <utility>

#include "foretell/agent/selftest/selftest.h"

namespace foretell::agent {
namespace {

using predictors::Engine;
using predictors::EngineOption;
using predictors::EngineOptions;

// Where an engine follows executions to their end, however long.
constexpr uint32_t kDepthMax = 40;

SelftestEngine Under(const Engine& engine, EngineOptions options, const char* suffix) {
  options.all_invariants = true;
  // Discarding is a heuristic that may hide violations; here nothing may be hidden.
  options.assertions = lmc::Assertions::kVerify;
  if (!engine.accepts.contains(EngineOption::kDepth)) options.depth_max = kDepthMax;
  SelftestEngine result{
      .name = engine.name + suffix,
      .make = [make = engine.make,
               options](const model::Service& service) { return make(service, options); },
      .promises = engine.promises,
      .covers = engine.covers};
  if (options.order == search::Order::kDepthFirst) result.promises.shortest_paths = false;
  return result;
}

}  // namespace

std::vector<SelftestEngine> StandardEngines() {
  std::vector<SelftestEngine> engines;
  for (const Engine& engine : predictors::SafetyEngines()) {
    engines.push_back(Under(engine, {}, ""));
    EngineOptions options;
    if (engine.accepts.contains(EngineOption::kOrder)) {
      options.order = search::Order::kDepthFirst;
      engines.push_back(Under(engine, std::exchange(options, {}), "-dfs"));
    }
    // Where minimising is the rule, also without; where it waits until it pays, also at once.
    if (engine.promises.counts_states) {
      options.minimise_after = 0;
      SelftestEngine minimised = Under(engine, std::exchange(options, {}), "-minimised");
      minimised.promises.counts_states = false;
      minimised.promises.reduces_states = true;
      engines.push_back(std::move(minimised));
    } else if (engine.accepts.contains(EngineOption::kMinimise) && engine.portfolio_share > 0) {
      options.minimise = false;
      engines.push_back(Under(engine, std::exchange(options, {}), " not minimised"));
    }
    if (engine.accepts.contains(EngineOption::kDependency)) {
      options.dependency = dir::DependencyMode::kConservative;
      engines.push_back(Under(engine, options, " conservative"));
    }
  }
  return engines;
}

}  // namespace foretell::agent
