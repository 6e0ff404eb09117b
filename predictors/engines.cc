#include "foretell/predictors/engines.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/dir/dir_explorer.h"
#include "foretell/predictors/filtered_service.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/search/cover/cover_explorer.h"
#include "foretell/search/dpor/dpor_explorer.h"
#include "foretell/search/prefixes/prefix_explorer.h"
#include "foretell/search/symmetry/symmetry.h"

namespace foretell::predictors {
namespace {

using model::Service;
using Explorer = std::unique_ptr<model::Explorer>;

search::SearchOptions ForSearch(const EngineOptions& options) {
  return {options, options.order, options.awaited, search::MakeSymmetry, options.minimise_after};
}

Explorer MakeGlobal(const Service& service, const EngineOptions& options) {
  return search::MakeGlobalExplorer(service, ForSearch(options));
}
Explorer MakePor(const Service& service, const EngineOptions& options) {
  return search::MakePorExplorer(service, ForSearch(options));
}
Explorer MakeConsequence(const Service& service, const EngineOptions& options) {
  return search::MakeConsequenceExplorer(service, ForSearch(options));
}
Explorer MakeCover(const Service& service, const EngineOptions& options) {
  return search::MakeCoverExplorer(service, options);
}
Explorer MakeDpor(const Service& service, const EngineOptions& options) {
  return search::MakeDporExplorer(service, {options});
}
// It runs processes on live nodes, which know of no filter.
absl::Status CoveredByDpor(const Service& service, const model::SystemCut& start) {
  if (dynamic_cast<const FilteredService*>(&service) != nullptr) {
    return absl::FailedPreconditionError("engine dpor does not know filters");
  }
  return search::CoveredByDpor(service, start);
}
Explorer MakeLmc(const Service& service, const EngineOptions& options) {
  return lmc::MakeLmcExplorer(service, {options, lmc::Combine::kByProjection, options.assertions,
                                        options.awaited, search::MakeSymmetry});
}
Explorer MakeLmcGen(const Service& service, const EngineOptions& options) {
  return lmc::MakeLmcExplorer(service, {options, lmc::Combine::kAll, options.assertions,
                                        options.awaited, search::MakeSymmetry});
}
Explorer MakeDir(const Service& service, const EngineOptions& options) {
  dir::DirOptions result{options, options.dependency};
  result.components = options.components;
  result.threads = options.threads;
  if (!options.journal.empty()) {
    result.journal = [path = options.journal, identity = options.journal_identity](
                         const dir::Components& components, const std::string& basis,
                         dir::EventNumbers& event_numbers) {
      return dir::JournalFile::Open(path, identity + ", " + basis, components, event_numbers);
    };
  }
  return dir::MakeDirExplorer(service, std::move(result));
}
search::LiveOptions ForLive(const EngineOptions& options) {
  search::LiveOptions result{options, options.property};
  result.count_on = options.count_on;
  result.loss = options.loss;
  result.fairness = options.fairness;
  result.weights = options.weights;
  result.seed = options.seed;
  result.earlier = options.earlier;
  return result;
}
Explorer MakeLive(const Service& service, const EngineOptions& options) {
  return search::MakePrefixExplorer(service, ForLive(options));
}
Explorer MakeLivePor(const Service& service, const EngineOptions& options) {
  search::LiveOptions reduced = ForLive(options);
  reduced.reduce = true;
  return search::MakePrefixExplorer(service, std::move(reduced));
}
Explorer MakePortfolio(const Service& service, const EngineOptions& options) {
  return MakePortfolioExplorer(service, {options, options.threads});
}

// Of `lmc` and `global`, one of which is the best or close to it in all that is built in: until
// then the portfolio costs no more than twice the better one
// (docs/decisions/0050-two-at-a-time.md).
constexpr std::chrono::milliseconds kHeadStart{2'000};

std::vector<Engine> SingleEngines() {
  using enum EngineOption;
  return {
      {.name = "lmc",
       .text = "local checker; combines node states only where it matters",
       .make = MakeLmc,
       .accepts = {kDepth, kMinimise, kAssertions, kSymmetry},
       .trusts_stable = true,  // Verification is reduced as `por` is.
       .preference = 2,
       .predicts_by_default = true,
       .portfolio_share = 3},
      {.name = "lmc-gen",
       .text = "local checker; combines all node states",
       .make = MakeLmcGen,
       .accepts = {kDepth, kMinimise, kAssertions, kSymmetry},
       .trusts_stable = true},
      {.name = "global",
       .text = "every interleaving, no reduction",
       .make = MakeGlobal,
       .accepts = {kDepth, kOrder, kMinimise, kSymmetry},
       .promises = {.completes = true, .shortest_paths = true, .counts_states = true},
       .portfolio_share = 3},
      {.name = "por",
       .text = "global search with partial-order reduction",
       .make = MakePor,
       .accepts = {kDepth, kOrder, kMinimise, kSymmetry},
       .promises = {.completes = true, .reduces_states = true},
       .trusts_stable = true,
       .preference = 1,
       .predicts_by_default = true,
       .portfolio_share = 3,
       .portfolio_after = kHeadStart},
      {.name = "consequence",
       .text = "consequence prediction: internal events only in new node states",
       .make = MakeConsequence,
       .promises = {.reduces_states = true},
       .preference = 3,
       .predicts_by_default = true,
       .portfolio_share = 1,
       .portfolio_after = kHeadStart},
      {.name = "cover",
       .text = "every system state, also if datagrams pile up without end",
       .make = MakeCover,
       .accepts = {},
       .covers = search::CoveredByCover,
       .promises = {.completes = true, .reduces_states = true}},
      {.name = "dir",
       .text = "dynamic interface reduction: components on their own, composed by their interfaces",
       .make = MakeDir,
       .accepts = {kThreads, kComponents, kDependency, kJournal},
       .covers = dir::CoveredByDir,
       .preference = 4},
      {.name = "dpor",
       .text = "programs that block: one execution of each kind",
       .make = MakeDpor,
       .covers = CoveredByDpor,
       .portfolio_share = 3},
      {.name = "live",
       .text = "liveness: whether a --property can be lost for ever; proves what is dead",
       .make = MakeLive,
       .accepts = {kDepth, kProperty},
       .liveness = true},
      {.name = "live-por",
       .text = "the same with partial-order reduction; paths are not the shortest",
       .make = MakeLivePor,
       .accepts = {kDepth, kProperty},
       .liveness = true},
  };
}

// The engines that predict, as they are preferred.
std::vector<Engine> Predictors() {
  std::vector<Engine> engines = SingleEngines();
  std::erase_if(engines, [](const Engine& engine) { return engine.preference == 0; });
  std::sort(engines.begin(), engines.end(),
            [](const Engine& a, const Engine& b) { return a.preference < b.preference; });
  return engines;
}

// "lmc, global, por and consequence": those that are there whatever the service is.
std::string MembersText() {
  std::vector<std::string> names;
  for (Engine& engine : PortfolioMembers()) {
    if (!engine.covers) names.push_back(std::move(engine.name));
  }
  const std::string last = std::move(names.back());
  names.pop_back();
  return absl::StrCat(absl::StrJoin(names, ", "), names.empty() ? "" : " and ", last);
}

}  // namespace

std::vector<Engine> AllEngines() {
  using enum EngineOption;
  std::vector<Engine> engines = {
      {.name = "portfolio",
       .text = MembersText() + " in turns, and dpor where processes block",
       .make = MakePortfolio,
       .accepts = {kDepth, kMinimise, kThreads, kSymmetry},
       .trusts_stable = true}};
  for (Engine& engine : SingleEngines()) engines.push_back(std::move(engine));
  return engines;
}

std::vector<Engine> SafetyEngines() {
  std::vector<Engine> engines = AllEngines();
  std::erase_if(engines, [](const Engine& engine) { return engine.liveness; });
  return engines;
}

std::vector<Engine> PortfolioMembers() {
  std::vector<Engine> engines = SingleEngines();
  std::erase_if(engines, [](const Engine& engine) { return engine.portfolio_share == 0; });
  return engines;
}

std::vector<std::string> EngineNames() {
  std::vector<std::string> names;
  for (Engine& engine : Predictors()) names.push_back(std::move(engine.name));
  return names;
}

std::vector<std::string> DefaultPredictors() {
  std::vector<std::string> names = {kKnownPaths};
  for (Engine& engine : Predictors()) {
    if (engine.predicts_by_default) names.push_back(std::move(engine.name));
  }
  return names;
}

std::unique_ptr<model::Explorer> MakeEngine(const std::string& name, const Service& service,
                                            EngineOptions options) {
  // Nothing may be hidden from an operator; what is spurious does not survive verification.
  options.assertions = lmc::Assertions::kVerify;
  options.threads = 1;  // A race has its own.
  for (const Engine& engine : Predictors()) {
    if (engine.name == name) return engine.make(service, options);
  }
  return nullptr;
}

}  // namespace foretell::predictors
