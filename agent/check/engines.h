#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/dir/trace/dependency.h"
#include "foretell/lmc/lmc_explorer.h"
#include "foretell/model/cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/search/explorers.h"

namespace foretell::agent {

// What `check` can set on an engine; each engine takes what concerns it.
struct EngineOptions : model::ExploreOptions {
  search::Order order = search::Order::kBreadthFirst;
  lmc::Assertions assertions = lmc::Assertions::kDiscard;
  uint32_t threads = 2;
  dir::DependencyMode dependency = dir::DependencyMode::kExact;
  std::string components;        // As dir::Components::Parse.
  std::string journal;           // Where engine dir keeps its state changes; empty: nowhere.
  std::string journal_identity;  // What is explored there.
};

// An engine as users see it: `--engine NAME`.
struct Engine {
  std::string name;
  std::string text;  // One line.
  std::function<std::unique_ptr<model::Explorer>(const model::Service&, const EngineOptions&)> make;
  bool takes_order = false;       // --order means something to it.
  bool takes_assertions = false;  // --assertions means something to it.
  bool takes_threads = false;     // --threads means something to it.
  bool takes_components = false;  // --components, --dependency and --journal mean something to it.
  bool takes_depth = true;        // --depth means something to it.
  // Not OK, with the reason, where it would explore nothing. Empty: it always explores something.
  std::function<absl::Status(const model::Service&, const model::SystemCut&)> covers = {};
};

// Every engine of this build; the first is the default.
std::vector<Engine> AllEngines();

}  // namespace foretell::agent
