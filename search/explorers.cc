#include "search/explorers.h"

namespace foretell::search {

std::unique_ptr<model::Explorer> MakeGlobalExplorer(const model::Service&, SearchOptions) {
  return nullptr;
}

std::unique_ptr<model::Explorer> MakePorExplorer(const model::Service&, SearchOptions) {
  return nullptr;
}

}  // namespace foretell::search
