#pragma once

#include <memory>

#include "absl/status/status.h"
#include "foretell/model/cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"

namespace foretell::search {

// Engine `cover`: every system state that can be reached on datagrams, although messages may pile
// up without end. A depth bound of the options is not looked at: a loop that is taken any number of
// times has no depth. The service outlives the explorer.
std::unique_ptr<model::Explorer> MakeCoverExplorer(const model::Service& service,
                                                   model::ExploreOptions options);

// Not OK, with the reason, where engine `cover` would explore nothing: on streams, where a message
// more can be in the way of others.
absl::Status CoveredByCover(const model::Service& service, const model::SystemCut& start);

}  // namespace foretell::search
