#include "lmc/lmc_explorer.h"

namespace foretell::lmc {

std::unique_ptr<model::Explorer> MakeLmcExplorer(const model::Service&, LmcOptions) {
  return nullptr;
}

}  // namespace foretell::lmc
