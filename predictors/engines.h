#pragma once

// The one table of engines. The command line, the agent's configuration, the portfolio and the
// selftest follow from it: a new engine is a folder of its own and a row here.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/dir/trace/dependency.h"
#include "foretell/lmc/lmc_explorer.h"
#include "foretell/model/cut.h"
#include "foretell/model/liveness/fairness.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/search/explorers.h"
#include "foretell/search/liveness/live_explorer.h"

namespace foretell::predictors {

// Replays of known bad paths; not an explorer.
inline constexpr const char* kKnownPaths = "known";

// Settings of all engines together; each takes what concerns it.
struct EngineOptions : model::ExploreOptions {
  search::Order order = search::Order::kBreadthFirst;
  lmc::Assertions assertions = lmc::Assertions::kVerify;
  uint32_t threads = 2;
  dir::DependencyMode dependency = dir::DependencyMode::kExact;
  std::string components;        // As dir::Components::Parse; empty: every node on its own.
  std::string journal;           // Where engine dir keeps its state changes; empty: nowhere.
  std::string journal_identity;  // Of the exploration there.
  std::string property;          // The liveness predicate that engine live is asked about.
  model::CountOn count_on = model::CountOn::kCalls;
  search::Loss loss = search::Loss::kAny;
  model::Fairness fairness = model::Fairness::kNone;
  model::Weights weights;
  uint64_t seed = 1;
  // Classes of interchangeable nodes instead of the service's own, as model::NamedClasses::Parse;
  // empty: none.
  std::optional<std::string> symmetry;
  bool keep_auxiliary = false;  // Auxiliary parts of states count as all others do.
  bool awaited = false;         // Somebody waits for a violation (search/explorers.h).
  uint32_t minimise_after = search::kMinimiseAfter;
  std::vector<model::SystemCut> earlier;  // Recorded cuts before the start, for engine live.
};

// The settings that some engines do not take.
enum class EngineOption : uint8_t {
  kDepth,
  kOrder,
  kMinimise,
  kAssertions,
  kThreads,
  kComponents,
  kDependency,
  kJournal,
  kSymmetry,
  kProperty,  // And all that goes with it.
};

// Promises of an engine beyond never being wrong; the selftest holds it to them.
struct EnginePromises {
  bool completes = false;       // Every finite service, within a budget of its size.
  bool shortest_paths = false;  // No path is longer than it must be, breadth first.
  bool counts_states = false;   // Stats::global_states is the number of reachable states ...
  bool reduces_states = false;  // ... or at most that.
};

// One row of the table.
struct Engine {
  std::string name;
  std::string text;  // One line.
  // The service outlives the explorer.
  std::function<std::unique_ptr<model::Explorer>(const model::Service&, const EngineOptions&)> make;
  std::set<EngineOption> accepts = {EngineOption::kDepth};
  // Not OK, with the reason, where it would explore nothing. Empty: it always explores something.
  std::function<absl::Status(const model::Service&, const model::SystemCut&)> covers = {};
  EnginePromises promises = {};
  // It takes InvariantInfo::stable at its word, and misses violations where that is wrong.
  bool trusts_stable = false;
  // Its place among those that predict from live cuts, from 1: earlier answers are preferred.
  // 0: it does not predict.
  uint32_t preference = 0;
  bool predicts_by_default = false;
  // Its share of the time in the portfolio of `check`, against those of the others. 0: no member.
  uint32_t portfolio_share = 0;
  // How long those with the largest share have worked there before it begins, unless a thread has
  // nothing else to do.
  std::chrono::milliseconds portfolio_after{0};
  // It judges one liveness predicate, EngineOptions::property, and no invariant.
  bool liveness = false;
};

// Every engine of this build, in the order of the help; the first is the default of `check`.
std::vector<Engine> AllEngines();
// Those that search for violations of invariants: all but the ones for liveness.
std::vector<Engine> SafetyEngines();

// The engines that can predict from live cuts, in the order of their preference.
std::vector<std::string> EngineNames();
// The predictors unless somebody says otherwise: known paths and some of the engines.
std::vector<std::string> DefaultPredictors();
// The engines that are in the portfolio of `check`, each where it covers, in the order of the help.
std::vector<Engine> PortfolioMembers();
// An engine as predictors run it: in one thread, with nothing hidden. Null for a name that is not
// among EngineNames().
std::unique_ptr<model::Explorer> MakeEngine(const std::string& name, const model::Service& service,
                                            EngineOptions options);

}  // namespace foretell::predictors
