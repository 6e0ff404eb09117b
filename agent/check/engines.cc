#include "foretell/agent/check/engines.h"

#include "foretell/dir/dir_explorer.h"
#include "foretell/predictors/portfolio.h"

namespace foretell::agent {
namespace {

search::SearchOptions ForSearch(const EngineOptions& options) {
  search::SearchOptions result;
  static_cast<model::ExploreOptions&>(result) = options;
  result.order = options.order;
  return result;
}

lmc::LmcOptions ForLmc(const EngineOptions& options, lmc::Combine combine) {
  lmc::LmcOptions result;
  static_cast<model::ExploreOptions&>(result) = options;
  result.combine = combine;
  result.assertions = options.assertions;
  return result;
}

dir::DirOptions ForDir(const EngineOptions& options) {
  dir::DirOptions result;
  static_cast<model::ExploreOptions&>(result) = options;
  result.dependency = options.dependency;
  result.components = options.components;
  result.threads = options.threads;
  if (options.journal.empty()) return result;
  result.journal = [path = options.journal, identity = options.journal_identity](
                       const dir::Components& components, const std::string& basis,
                       dir::EventNumbers& event_numbers) {
    return dir::JournalFile::Open(path, identity + ", " + basis, components, event_numbers);
  };
  return result;
}

predictors::PortfolioExplorerOptions ForPortfolio(const EngineOptions& options) {
  predictors::PortfolioExplorerOptions result;
  static_cast<model::ExploreOptions&>(result) = options;
  result.threads = options.threads;
  return result;
}

}  // namespace

std::vector<Engine> AllEngines() {
  using model::Service;
  return {
      {.name = "lmc",
       .text = "local checker; combines node states only where it matters",
       .make =
           [](const Service& service, const EngineOptions& options) {
             return lmc::MakeLmcExplorer(service, ForLmc(options, lmc::Combine::kByProjection));
           },
       .takes_assertions = true},
      {.name = "lmc-gen",
       .text = "local checker; combines all node states",
       .make =
           [](const Service& service, const EngineOptions& options) {
             return lmc::MakeLmcExplorer(service, ForLmc(options, lmc::Combine::kAll));
           },
       .takes_assertions = true},
      {.name = "global",
       .text = "every interleaving, no reduction",
       .make =
           [](const Service& service, const EngineOptions& options) {
             return search::MakeGlobalExplorer(service, ForSearch(options));
           },
       .takes_order = true},
      {.name = "por",
       .text = "global search with partial-order reduction",
       .make =
           [](const Service& service, const EngineOptions& options) {
             return search::MakePorExplorer(service, ForSearch(options));
           },
       .takes_order = true},
      {.name = "consequence",
       .text = "consequence prediction: internal events only in new node states",
       .make =
           [](const Service& service, const EngineOptions& options) {
             return search::MakeConsequenceExplorer(service, ForSearch(options));
           }},
      {.name = "dir",
       .text = "dynamic interface reduction: components on their own, composed by their interfaces",
       .make =
           [](const Service& service, const EngineOptions& options) {
             return dir::MakeDirExplorer(service, ForDir(options));
           },
       .takes_threads = true,
       .takes_components = true,
       .takes_depth = false,
       .covers = dir::CoveredByDir},
      {.name = "portfolio",
       .text = "por, lmc and consequence in threads; the first answer counts",
       .make =
           [](const Service& service, const EngineOptions& options) {
             return predictors::MakePortfolioExplorer(service, ForPortfolio(options));
           },
       .takes_threads = true},
  };
}

}  // namespace foretell::agent
