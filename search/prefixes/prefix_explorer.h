#pragma once

#include <memory>

#include "foretell/search/liveness/live_explorer.h"

namespace foretell::search {

// Engine `live`, and then from prefixes: LiveOptions::earlier are judged before the start is, and a
// search that did not come to an end goes on from executions in which the predicate holds. The same
// seed finds the same. The service outlives the explorer.
std::unique_ptr<model::Explorer> MakePrefixExplorer(const model::Service& service,
                                                    LiveOptions options);

}  // namespace foretell::search
