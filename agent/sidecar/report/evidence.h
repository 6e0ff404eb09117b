#pragma once

#include <string>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// Every set of nodes that breaks `invariant` in `cut`: "node 1", "nodes 1 and 2"; of an invariant
// of the whole system none, since that is always all of them. Bodies are valid for `service`.
std::vector<std::string> BreakersIn(const model::Service& service, const model::SystemCut& cut,
                                    const std::string& invariant);

// What nodes show differently in two cuts: "node 2 decided[34]: - -> commit", by node and field.
std::vector<std::string> ChangesFrom(const model::Service& service, const model::SystemCut& before,
                                     const model::SystemCut& after);

// The same for the last step of a path from `start`. Empty if it has none, or does not replay.
std::vector<std::string> LastChanges(const model::Service& service, const model::SystemCut& start,
                                     const model::Path& path);

}  // namespace foretell::agent
