#include "foretell/agent/selftest/selftest.h"
#include "foretell/dir/dir_explorer.h"
#include "foretell/lmc/lmc_explorer.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/search/explorers.h"

namespace foretell::agent {
namespace {

using model::Service;
using search::Order;

search::SearchOptions InOrder(Order order) {
  search::SearchOptions options;
  options.all_invariants = true;
  options.order = order;
  return options;
}

lmc::LmcOptions Combining(lmc::Combine combine) {
  lmc::LmcOptions options;
  options.all_invariants = true;
  options.combine = combine;
  // Discarding is a heuristic that may hide violations; here nothing may be hidden.
  options.assertions = lmc::Assertions::kVerify;
  return options;
}

SelftestEngine Global(const char* name, Order order) {
  return {
      .name = name,
      .make = [order](const Service& s) { return search::MakeGlobalExplorer(s, InOrder(order)); },
      .must_complete = true,
      .shortest_paths = order == Order::kBreadthFirst,
      .counts_states = true};
}

SelftestEngine Por(const char* name, Order order) {
  return {.name = name,
          .make = [order](const Service& s) { return search::MakePorExplorer(s, InOrder(order)); },
          .must_complete = true,
          .reduces_states = true};
}

SelftestEngine Lmc(const char* name, lmc::Combine combine) {
  return {.name = name, .make = [combine](const Service& s) {
            return lmc::MakeLmcExplorer(s, Combining(combine));
          }};
}

// Must not be wrong; may miss what it likes as long as it does not say "complete".
SelftestEngine Consequence() {
  return {.name = "consequence",
          .make =
              [](const Service& s) {
                return search::MakeConsequenceExplorer(s, InOrder(Order::kBreadthFirst));
              },
          .reduces_states = true};
}

// Says "complete" only of services whose executions end.
SelftestEngine Dir(const char* name, dir::DependencyMode dependency) {
  return {.name = name, .make = [dependency](const Service& s) {
            dir::DirOptions options;
            options.all_invariants = true;
            options.dependency = dependency;
            options.depth_max = 40;
            return dir::MakeDirExplorer(s, options);
          }};
}

// In two threads: with a limit on steps that must not show.
SelftestEngine Portfolio() {
  return {.name = "portfolio", .make = [](const Service& s) {
            predictors::PortfolioExplorerOptions options;
            options.all_invariants = true;
            return predictors::MakePortfolioExplorer(s, std::move(options));
          }};
}

}  // namespace

std::vector<SelftestEngine> StandardEngines() {
  return {Global("global", Order::kBreadthFirst),
          Global("global-dfs", Order::kDepthFirst),
          Por("por", Order::kBreadthFirst),
          Por("por-dfs", Order::kDepthFirst),
          Lmc("lmc-gen", lmc::Combine::kAll),
          Lmc("lmc", lmc::Combine::kByProjection),
          Consequence(),
          Dir("dir", dir::DependencyMode::kExact),
          Dir("dir conservative", dir::DependencyMode::kConservative),
          Portfolio()};
}

}  // namespace foretell::agent
