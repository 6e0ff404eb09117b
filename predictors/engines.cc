#include "foretell/predictors/engines.h"

#include "foretell/dir/dir_explorer.h"
#include "foretell/lmc/lmc_explorer.h"
#include "foretell/search/explorers.h"

namespace foretell::predictors {

std::vector<std::string> EngineNames() { return {"por", "lmc", "consequence", "dir"}; }

std::unique_ptr<model::Explorer> MakeEngine(const std::string& name, const model::Service& service,
                                            const EngineOptions& options) {
  search::SearchOptions search;
  static_cast<model::ExploreOptions&>(search) = options;
  if (name == "por") return search::MakePorExplorer(service, search);
  if (name == "consequence") return search::MakeConsequenceExplorer(service, search);
  if (name == "dir") {
    dir::DirOptions reduced;
    static_cast<model::ExploreOptions&>(reduced) = options;
    reduced.components = options.components;
    return dir::MakeDirExplorer(service, reduced);
  }
  if (name != "lmc") return nullptr;
  lmc::LmcOptions local;
  static_cast<model::ExploreOptions&>(local) = options;
  // Nothing may be hidden from an operator; what is spurious does not survive verification.
  local.assertions = lmc::Assertions::kVerify;
  return lmc::MakeLmcExplorer(service, local);
}

}  // namespace foretell::predictors
